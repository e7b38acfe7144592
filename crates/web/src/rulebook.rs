//! The rulebooks as web pages: an anchor for every rule, links between the rules, a table of contents and a search.
//!
//! A rule is a heading that begins with a number (`### 2.1 Turn Track`, `### R11 Which box pays`), or a paragraph or
//! list item that begins with a bold one (`**2.1.1** …`). Nothing in a book reaches the page as markup but what
//! Markdown makes of it: raw HTML is shown as text, and only `<br>` means what it says.

mod links;
mod search;
mod writer;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use search::Section;
use writer::Writer;

pub use search::Hit;

/// A rulebook made ready once: HTML with an anchor for every rule.
#[derive(Debug)]
pub struct Rulebook {
    title: String,
    markdown: &'static str,
    html: String,
    contents: String,
    /// The book once more, without any id, to cut previews from.
    plain: String,
    index: Index,
    sections: Vec<Section>,
}

/// A place in the book that can be jumped to.
#[derive(Debug)]
struct Anchor {
    /// The number of the rule; empty for a heading that has none.
    rule: String,
    id: String,
    /// What stands behind the number.
    title: String,
    /// The level of the heading, [`BOLD`] for a bold paragraph, [`ITEM`] for a list item.
    rank: u8,
    /// The part of the Markdown that is this section.
    source: Range<usize>,
    /// The part of the plain HTML that is this section.
    plain: Range<usize>,
}

const BOLD: u8 = 9;
const ITEM: u8 = 10;

/// The anchors, and where to find them.
#[derive(Debug, Default)]
struct Index {
    anchors: Vec<Anchor>,
    /// By the number in lower case.
    rules: HashMap<String, usize>,
    /// By the name that other Markdown programs give to a heading.
    slugs: HashMap<String, usize>,
}

impl Index {
    /// The rule with exactly this number; `2` also finds 2.0.
    fn exact(&self, rule: &str) -> Option<usize> {
        let rule = rule.trim().trim_end_matches('.').to_lowercase();
        self.rules.get(&rule).or_else(|| self.rules.get(&format!("{rule}.0"))).copied()
    }

    /// The rule, or else the nearest one above it.
    fn nearest(&self, rule: &str) -> Option<usize> {
        let mut rule = rule.trim();
        // No number is longer, and what is asked for may come from an address line.
        if rule.len() > 40 {
            return None;
        }
        loop {
            if let Some(found) = self.exact(rule) {
                return Some(found);
            }
            rule = rule.rsplit_once('.')?.0;
        }
    }

    fn add(&mut self, ids: &mut HashSet<String>, mut anchor: Anchor) -> usize {
        let wished = if anchor.rule.is_empty() {
            format!("book-{}", slug(&anchor.title))
        } else {
            format!("rule-{}", anchor.rule)
        };
        let mut id = wished.clone();
        for again in 2.. {
            if ids.insert(id.clone()) {
                break;
            }
            id = format!("{wished}-{again}");
        }
        anchor.id = id;
        let number = self.anchors.len();
        if !anchor.rule.is_empty() {
            self.rules.entry(anchor.rule.to_lowercase()).or_insert(number);
        }
        if anchor.rank < BOLD {
            self.slugs.entry(slug(&format!("{} {}", anchor.rule, anchor.title))).or_insert(number);
        }
        self.anchors.push(anchor);
        number
    }

    /// Where a link of the book itself leads: to another site, to a place in the book, or nowhere.
    fn target(&self, link: &str) -> Option<String> {
        if let Some(place) = link.strip_prefix('#') {
            let found =
                self.slugs.get(place).copied().or_else(|| self.exact(place.trim_start_matches("rule-")));
            return found.map(|found| format!("#{}", self.anchors[found].id));
        }
        let scheme = link.split_once(':')?.0.to_ascii_lowercase();
        matches!(scheme.as_str(), "http" | "https" | "mailto").then(|| link.to_owned())
    }
}

impl Rulebook {
    /// Reads a book and renders it, once and for all.
    pub fn new(title: &str, markdown: &'static str) -> Self {
        let mut blocks = blocks(markdown);
        let index = index(&mut blocks, markdown);
        let mut book = Self {
            title: title.to_owned(),
            markdown,
            html: String::with_capacity(markdown.len() * 2),
            contents: String::new(),
            plain: String::with_capacity(markdown.len() * 2),
            index,
            sections: Vec::new(),
        };
        book.render(&blocks);
        book.contents = contents(title, &book.index.anchors);
        book.sections = search::sections(title, &blocks, &book.index.anchors);
        book
    }

    /// The title the book was given.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The whole book.
    pub fn html(&self) -> &str {
        &self.html
    }

    /// The table of contents: a `<nav>` with nested lists of links into the book.
    pub fn contents(&self) -> &str {
        &self.contents
    }

    /// The id to jump to for a rule: its own, or that of the nearest rule above it. `2` finds 2.0.
    pub fn anchor(&self, rule: &str) -> Option<&str> {
        self.index.nearest(rule).map(|found| self.index.anchors[found].id.as_str())
    }

    /// Just the section of a rule, found as by [`Rulebook::anchor`], without any ids: it may stand on the same page
    /// as the whole book.
    pub fn section_html(&self, rule: &str) -> Option<String> {
        let found = self.index.nearest(rule)?;
        Some(self.plain[self.index.anchors[found].plain.clone()].trim().to_owned())
    }

    /// The book as it was written.
    pub fn markdown(&self) -> &'static str {
        self.markdown
    }

    /// The section of exactly this rule as it is written, in Markdown. `2` finds 2.0.
    pub fn section_markdown(&self, rule: &str) -> Option<&'static str> {
        let found = self.index.exact(rule)?;
        Some(self.markdown[self.index.anchors[found].source.clone()].trim_end())
    }

    /// Every numbered rule, in the order of the book.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        self.index.anchors.iter().map(|anchor| anchor.rule.as_str()).filter(|rule| !rule.is_empty())
    }

    /// The sections in which all the words occur, the best first, at most 20. Capital letters do not matter, and the
    /// beginning of a word is enough.
    pub fn search(&self, words: &str) -> Vec<Hit> {
        search::search(&self.sections, &self.index, words)
    }

    fn render(&mut self, blocks: &[Block]) {
        let mut starts = Vec::with_capacity(blocks.len() + 1);
        let mut items = Vec::new();
        for block in blocks {
            starts.push(self.plain.len());
            Writer::new(&self.index, block, true).write(0..block.events.len(), &mut self.html);
            Writer::new(&self.index, block, false).write(0..block.events.len(), &mut self.plain);
            for mark in block.marks.iter().filter(|mark| self.index.anchors[mark.anchor].rank == ITEM) {
                items.push((mark.anchor, block, mark.event..end_of(&block.events, mark.event) + 1));
            }
        }
        starts.push(self.plain.len());
        let whole = self.plain.len();
        for (anchor, block, events) in items {
            let from = self.plain.len();
            let is_item = matches!(block.events[events.start], Event::Start(Tag::Item));
            self.plain.push_str(if is_item { "<ul>" } else { "" });
            Writer::new(&self.index, block, false).write(events, &mut self.plain);
            self.plain.push_str(if is_item { "</ul>\n" } else { "" });
            self.index.anchors[anchor].plain = from..self.plain.len();
        }
        for (anchor, from, to) in spans(blocks, &self.index.anchors) {
            let to = to.map_or(whole, |block| starts[block]);
            self.index.anchors[anchor].plain = starts[from]..to;
        }
    }
}

/// A block that stands in the book itself, not inside another: a heading, a paragraph, a list, a table …
#[derive(Debug)]
struct Block {
    events: Vec<Event<'static>>,
    source: Range<usize>,
    /// Where its list items stand in the source, in their order.
    items: Vec<Range<usize>>,
    marks: Vec<Mark>,
}

impl Block {
    fn new(events: Vec<Event<'static>>, source: Range<usize>, items: Vec<Range<usize>>) -> Self {
        Self { events, source, items, marks: Vec::new() }
    }
}

/// Where in a block an anchor belongs.
#[derive(Debug)]
struct Mark {
    /// The event that opens the heading, the paragraph or the list item.
    event: usize,
    /// The text that begins with the number, and how much of it is the number.
    number: Option<(usize, usize)>,
    anchor: usize,
}

/// The number of a rule that the words begin with, without the full stop or colon behind it.
fn leading_number(words: &str) -> Option<&str> {
    let number = words.split(char::is_whitespace).next()?.trim_end_matches(['.', ':']);
    links::shape(number).map(|_| number)
}

/// The number in bold that a paragraph or list item begins with. A whole number is none: it may be a year.
fn bold_number(words: &str) -> Option<&str> {
    leading_number(words).filter(|number| links::shape(number) != Some(links::Shape::Whole))
}

fn is_comment(html: &str) -> bool {
    let html = html.trim();
    html.starts_with("<!--") && html.ends_with("-->") && html.matches("<!--").count() == 1
}

fn is_break(html: &str) -> bool {
    let inside = html.trim().trim_start_matches('<').trim_end_matches('>').trim_end_matches('/').trim();
    inside.eq_ignore_ascii_case("br")
}

/// Reads the book into its blocks: no raw HTML, no images, the pieces of a text joined, and a paragraph for each
/// bold rule, even if no blank line is between them.
fn blocks(markdown: &'static str) -> Vec<Block> {
    let parser = Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    let read: Vec<(Event<'static>, Range<usize>)> = parser.into_offset_iter().collect();
    let mut blocks = Vec::new();
    let mut events: Vec<Event<'static>> = Vec::new();
    let mut source = 0..0;
    let mut items = Vec::new();
    let mut depth = 0;
    let mut raw = None;
    for (at, (event, range)) in read.iter().enumerate() {
        if depth == 0 {
            source = range.clone();
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        match event {
            Event::Start(Tag::HtmlBlock) => raw = Some(String::new()),
            Event::End(TagEnd::HtmlBlock) => {
                let text = raw.take().unwrap_or_default();
                if !is_comment(&text) {
                    events.push(Event::Start(Tag::Paragraph));
                    events.push(Event::Text(text.trim().to_owned().into()));
                    events.push(Event::End(TagEnd::Paragraph));
                }
            }
            Event::Html(text) | Event::InlineHtml(text) => match &mut raw {
                Some(raw) => raw.push_str(text),
                None if is_break(text) => events.push(Event::HardBreak),
                None if is_comment(text) => {}
                None => join(&mut events, text),
            },
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            Event::SoftBreak => {
                let next = match (events.first(), read.get(at + 1), read.get(at + 2)) {
                    (
                        Some(Event::Start(Tag::Paragraph)),
                        Some((Event::Start(Tag::Strong), next)),
                        Some((Event::Text(text), _)),
                    ) if depth == 1 && bold_number(text).is_some() => Some(next.start),
                    _ => None,
                };
                if let Some(next) = next {
                    events.push(Event::End(TagEnd::Paragraph));
                    let events = std::mem::replace(&mut events, vec![Event::Start(Tag::Paragraph)]);
                    blocks.push(Block::new(events, source.start..next, Vec::new()));
                    source.start = next;
                } else {
                    join(&mut events, "\n");
                }
            }
            Event::Text(text) => join(&mut events, text),
            other => {
                if matches!(other, Event::Start(Tag::Item)) {
                    items.push(range.clone());
                }
                events.push(other.clone());
            }
        }
        if depth == 0 && !events.is_empty() {
            let (events, items) = (std::mem::take(&mut events), std::mem::take(&mut items));
            blocks.push(Block::new(events, source.clone(), items));
        }
    }
    blocks
}

/// Adds a text, joined to the one before it.
fn join(events: &mut Vec<Event<'static>>, text: &str) {
    if let Some(Event::Text(before)) = events.last_mut() {
        *before = format!("{before}{text}").into();
    } else {
        events.push(Event::Text(text.to_owned().into()));
    }
}

/// The end of what an event opens.
fn end_of(events: &[Event<'_>], start: usize) -> usize {
    let mut depth = 0;
    for (at, event) in events.iter().enumerate().skip(start) {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    events.len() - 1
}

/// The words of some events, without their markup.
fn words(events: &[Event<'_>]) -> String {
    let mut words = String::new();
    for event in events {
        match event {
            Event::Text(text) | Event::Code(text) => words.push_str(text),
            Event::HardBreak => words.push(' '),
            _ => {}
        }
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The title of a bold rule: what is bold behind its number, or the words in italics that follow.
fn bold_title(events: &[Event<'_>], strong: usize, number: &str) -> String {
    let end = end_of(events, strong);
    let bold = words(&events[strong..end]);
    let mut title =
        bold.strip_prefix(number).unwrap_or_default().trim_start_matches(['.', ':']).trim().to_owned();
    let next = match events.get(end + 1) {
        Some(Event::Text(space)) if space.trim().is_empty() => end + 2,
        _ => end + 1,
    };
    if title.is_empty() && matches!(events.get(next), Some(Event::Start(Tag::Emphasis))) {
        title = words(&events[next..end_of(events, next)]);
    }
    title.trim_end_matches(['.', ':']).to_owned()
}

/// Finds the anchors of all blocks and marks them there.
fn index(blocks: &mut [Block], markdown: &str) -> Index {
    let mut index = Index::default();
    let mut ids = HashSet::new();
    for block in blocks.iter_mut() {
        let mut found = Vec::new();
        let mut items = block.items.iter();
        for (at, event) in block.events.iter().enumerate() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let text = words(&block.events[at..end_of(&block.events, at)]);
                    let number = match block.events.get(at + 1) {
                        Some(Event::Text(text)) => leading_number(text),
                        _ => None,
                    };
                    let rest = number.and_then(|number| text.strip_prefix(number)).unwrap_or(&text);
                    let title = rest.trim_start_matches(['.', ':']).trim().to_owned();
                    let number = number.map(str::to_owned);
                    // A heading inside a list or a quotation is an anchor, but it cannot end a section.
                    let rank = if at == 0 { *level as u8 } else { ITEM };
                    found.push((at, at + 1, number, title, rank, &block.source));
                }
                Event::Start(Tag::Paragraph | Tag::Item) => {
                    let item = matches!(event, Event::Start(Tag::Item));
                    let source = if item { items.next().unwrap_or(&block.source) } else { &block.source };
                    if at > 0 && !item {
                        continue;
                    }
                    let strong = match block.events.get(at + 1) {
                        Some(Event::Start(Tag::Paragraph)) if item => at + 2,
                        _ => at + 1,
                    };
                    if let Some(Event::Start(Tag::Strong)) = block.events.get(strong)
                        && let Some(Event::Text(text)) = block.events.get(strong + 1)
                        && let Some(number) = bold_number(text)
                    {
                        let title = bold_title(&block.events, strong, number);
                        let rank = if item { ITEM } else { BOLD };
                        found.push((at, strong + 1, Some(number.to_owned()), title, rank, source));
                    }
                }
                _ => {}
            }
        }
        for (event, text, number, title, rank, source) in found {
            let length = number.as_ref().map(String::len);
            let anchor = Anchor {
                rule: number.unwrap_or_default(),
                id: String::new(),
                title,
                rank,
                source: source.clone(),
                plain: 0..0,
            };
            let anchor = index.add(&mut ids, anchor);
            block.marks.push(Mark { event, number: length.map(|length| (text, length)), anchor });
        }
    }
    for (anchor, from, to) in spans(blocks, &index.anchors) {
        let to = to.map_or(markdown.len(), |block| blocks[block].source.start);
        index.anchors[anchor].source = blocks[from].source.start..to;
    }
    index
}

/// For each anchor at the head of a block: its block, and the block where its section is over.
fn spans(blocks: &[Block], anchors: &[Anchor]) -> Vec<(usize, usize, Option<usize>)> {
    let mut spans = Vec::new();
    for (from, block) in blocks.iter().enumerate() {
        for mark in block.marks.iter().filter(|mark| anchors[mark.anchor].rank < ITEM) {
            let ends = |block: &Block| {
                block.marks.iter().any(|other| anchors[other.anchor].rank <= anchors[mark.anchor].rank)
            };
            let to = blocks[from + 1..].iter().position(ends).map(|next| from + 1 + next);
            spans.push((mark.anchor, from, to));
        }
    }
    spans
}

/// The name of a heading that other Markdown programs would give it.
fn slug(words: &str) -> String {
    let mut slug = String::new();
    for c in words.trim().chars() {
        match c {
            ' ' | '-' | '_' => slug.push('-'),
            c if c.is_alphanumeric() => slug.extend(c.to_lowercase()),
            _ => {}
        }
    }
    slug
}

/// Text made fit for an element or an attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The table of contents: all headings below the title of the book.
fn contents(title: &str, anchors: &[Anchor]) -> String {
    let mut nav = format!("<nav class=\"rulebook-contents\" aria-label=\"Contents: {}\">", escape(title));
    let mut open: Vec<u8> = Vec::new();
    for anchor in anchors.iter().filter(|anchor| (2..BOLD).contains(&anchor.rank)) {
        while open.len() > 1 && open.last().is_some_and(|level| *level > anchor.rank) {
            nav.push_str("</li></ul>");
            open.pop();
        }
        match open.last_mut() {
            Some(level) if *level >= anchor.rank => {
                *level = anchor.rank;
                nav.push_str("</li>");
            }
            _ => {
                open.push(anchor.rank);
                nav.push_str("\n<ul>");
            }
        }
        let _ = write!(nav, "\n<li><a href=\"#{}\">", escape(&anchor.id));
        if !anchor.rule.is_empty() {
            let _ = write!(nav, "<span class=\"number\">{}</span> ", escape(&anchor.rule));
        }
        let _ = write!(nav, "{}</a>", escape(&anchor.title));
    }
    for _ in open {
        nav.push_str("</li></ul>");
    }
    nav.push_str("</nav>\n");
    nav
}
