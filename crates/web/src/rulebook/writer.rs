//! From the events of the Markdown reader to HTML.

use std::ops::Range;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Tag, TagEnd, html};

use super::links::{self, Piece};
use super::{BOLD, Block, Index, Mark, end_of, escape, words};

/// Turns the events of a block into HTML.
pub(super) struct Writer<'a> {
    index: &'a Index,
    block: &'a Block,
    /// Whether it is for the page of the whole book, where ids and links to oneself belong.
    ids: bool,
    out: Vec<Event<'a>>,
    /// What an open link has to be closed with.
    links: Vec<bool>,
    closing: Vec<String>,
    table: Table,
}

#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    /// Which columns name rules.
    citing: Vec<bool>,
    head: bool,
    column: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(index: &'a Index, block: &'a Block, ids: bool) -> Self {
        let (out, links, closing) = (Vec::new(), Vec::new(), Vec::new());
        Self { index, block, ids, out, links, closing, table: Table::default() }
    }

    pub(super) fn write(mut self, range: Range<usize>, to: &mut String) {
        for at in range {
            self.event(at);
        }
        html::push_html(to, self.out.into_iter());
    }

    fn raw(&mut self, markup: impl Into<String>) {
        self.out.push(Event::InlineHtml(markup.into().into()));
    }

    fn id(&self, anchor: usize) -> String {
        if self.ids { format!(" id=\"{}\"", escape(&self.index.anchors[anchor].id)) } else { String::new() }
    }

    fn event(&mut self, at: usize) {
        let block = self.block;
        let event = &block.events[at];
        if let Some(mark) = block.marks.iter().find(|mark| mark.event == at) {
            return self.open_marked(event, mark);
        }
        if let Some((length, anchor)) = block.marks.iter().find_map(|mark| match mark.number {
            Some((text, length)) if text == at => Some((length, mark.anchor)),
            _ => None,
        }) && let Event::Text(text) = event
        {
            return self.number(text, length, anchor);
        }
        match event {
            Event::End(TagEnd::Heading(_)) => {
                let closing = self.closing.pop().unwrap_or_default();
                self.raw(closing);
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let class = match kind {
                    CodeBlockKind::Fenced(info) if info.starts_with(char::is_alphanumeric) => {
                        let language = info.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                        format!(" class=\"language-{language}\"")
                    }
                    _ => String::new(),
                };
                self.closing.push(String::new());
                self.raw(format!("<pre tabindex=\"0\"><code{class}>"));
            }
            Event::End(TagEnd::CodeBlock) => {
                self.closing.pop();
                self.raw("</code></pre>\n");
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                let target = self.index.target(dest_url);
                self.links.push(target.is_some());
                if let Some(target) = target {
                    let away = if target.starts_with('#') { "" } else { " rel=\"noopener noreferrer\"" };
                    self.raw(format!("<a href=\"{}\"{away}>", escape(&target)));
                }
            }
            Event::End(TagEnd::Link) => {
                if self.links.pop() == Some(true) {
                    self.raw("</a>");
                }
            }
            Event::Start(Tag::Table(alignments)) => {
                self.table = Table { alignments: alignments.clone(), ..Table::default() };
                self.raw(
                    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\">\n<table>",
                );
            }
            Event::End(TagEnd::Table) => self.raw("</tbody></table>\n</div>\n"),
            Event::Start(Tag::TableHead) => {
                self.table.head = true;
                self.raw("<thead>\n<tr>");
            }
            Event::End(TagEnd::TableHead) => {
                self.table.head = false;
                self.raw("</tr>\n</thead>\n<tbody>\n");
            }
            Event::Start(Tag::TableRow) => {
                self.table.column = 0;
                self.raw("<tr>");
            }
            Event::End(TagEnd::TableRow) => self.raw("</tr>\n"),
            Event::Start(Tag::TableCell) => self.open_cell(at),
            Event::End(TagEnd::TableCell) => {
                self.table.column += 1;
                let closing = self.closing.pop().unwrap_or_default();
                self.raw(closing);
            }
            Event::Text(text) => self.text(text),
            other => self.out.push(other.clone()),
        }
    }

    /// Opens a heading, a paragraph or a list item that has an anchor.
    fn open_marked(&mut self, event: &Event<'_>, mark: &Mark) {
        let anchor = &self.index.anchors[mark.anchor];
        let id = self.id(mark.anchor);
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let permalink = if self.ids {
                    let name = if anchor.rule.is_empty() { &anchor.title } else { &anchor.rule };
                    format!(
                        " <a class=\"permalink\" href=\"#{}\" aria-label=\"Link to {}\">#</a>",
                        escape(&anchor.id),
                        escape(name)
                    )
                } else {
                    String::new()
                };
                let level: HeadingLevel = *level;
                self.closing.push(format!("{permalink}</{level}>\n"));
                self.raw(format!("<{level}{id}>"));
            }
            Event::Start(Tag::Item) => self.raw(format!("\n<li{id} class=\"rule\">")),
            _ => self.raw(format!("<p{id} class=\"rule\">")),
        }
    }

    /// Writes the number of a rule in its own place, and what follows it in the same text.
    fn number(&mut self, text: &str, length: usize, anchor: usize) {
        let anchor = &self.index.anchors[anchor];
        let number = escape(&text[..length]);
        if anchor.rank < BOLD {
            self.raw(format!("<span class=\"number\">{number}</span>"));
        } else {
            let id = escape(&anchor.id);
            self.raw(format!("<a class=\"number\" href=\"#{id}\" data-rule=\"{number}\">{number}</a>"));
        }
        self.out.push(Event::Text(text[length..].to_owned().into()));
    }

    fn open_cell(&mut self, at: usize) {
        let words = words(&self.block.events[at..end_of(&self.block.events, at)]);
        let column = self.table.column;
        if self.table.head {
            let citing = ["rule", "rules", "ruling", "section"].contains(&words.to_lowercase().as_str());
            self.table.citing.push(citing);
        }
        // An empty corner is no heading of anything.
        let (tag, scope) =
            if self.table.head && !words.is_empty() { ("th", " scope=\"col\"") } else { ("td", "") };
        let mut classes = match self.table.alignments.get(column) {
            Some(Alignment::Left) => vec!["left"],
            Some(Alignment::Center) => vec!["center"],
            Some(Alignment::Right) => vec!["right"],
            _ => Vec::new(),
        };
        match words.chars().count() {
            _ if self.table.head => {}
            ..=10 => classes.push("short"),
            11..=18 => classes.push("medium"),
            41.. => classes.push("long"),
            _ => {}
        }
        let class =
            if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) };
        self.closing.push(format!("</{tag}>"));
        self.raw(format!("<{tag}{scope}{class}>"));
    }

    /// Writes a text with its references as links, unless it is a heading, code or a link already.
    fn text(&mut self, text: &str) {
        let is_cell = self.closing.last().is_some_and(|closing| closing == "</td>");
        if self.links.contains(&true) || (!self.closing.is_empty() && !is_cell) {
            self.out.push(Event::Text(text.to_owned().into()));
            return;
        }
        let citing = is_cell && self.table.citing.get(self.table.column) == Some(&true);
        for piece in links::pieces(text, citing, &|rule| self.index.exact(rule)) {
            match piece {
                Piece::Text(text) => self.out.push(Event::Text(text.to_owned().into())),
                Piece::Link(text, anchor) => {
                    let anchor = &self.index.anchors[anchor];
                    let (id, rule) = (escape(&anchor.id), escape(&anchor.rule));
                    self.raw(format!("<a class=\"xref\" href=\"#{id}\" data-rule=\"{rule}\">"));
                    self.out.push(Event::Text(text.to_owned().into()));
                    self.raw("</a>");
                }
            }
        }
    }
}
