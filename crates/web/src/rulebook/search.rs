//! Looking for words in a rulebook.

use pulldown_cmark::{Event, TagEnd};

use super::{Anchor, Block, Index, escape};

/// The most that a search finds.
const MOST: usize = 20;
/// Words and bytes of a search beyond these are not looked at.
const MOST_WORDS: usize = 8;
const MOST_BYTES: usize = 200;
/// Subject how long a snippet is, and how much of it comes before the first find, in bytes.
const SNIPPET: usize = 190;
const LEAD: usize = 50;

/// A section that a search has found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Hit {
    /// The number of the rule; empty if the section has none.
    pub rule: String,
    /// The id to jump to.
    pub anchor: String,
    /// The heading, without the number. Plain text.
    pub heading: String,
    /// Some words around the find, as HTML, with what was found in `<mark>`.
    pub snippet: String,
}

/// What is searched: an anchor and the text up to the next one.
#[derive(Debug)]
pub(super) struct Section {
    rule: String,
    anchor: String,
    heading: String,
    rank: u8,
    body: String,
    /// Number and heading, folded.
    folded_heading: String,
    /// The body, folded; each letter is at the same place as in the body. Empty if the body is only borrowed.
    folded_body: String,
}

/// A text without capital letters, each letter as long as before.
fn fold(text: &str) -> String {
    let small = |c: char| {
        let mut small = c.to_lowercase();
        match (small.next(), small.next()) {
            (Some(one), None) if one.len_utf8() == c.len_utf8() => one,
            _ => c,
        }
    };
    text.chars().map(small).collect()
}

/// Cuts the book into its sections.
pub(super) fn sections(title: &str, blocks: &[Block], anchors: &[Anchor]) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut current: Option<&Anchor> = None;
    let mut above = title;
    let mut body = String::new();
    for block in blocks {
        let mut heading = false;
        for (at, event) in block.events.iter().enumerate() {
            if let Some(mark) = block.marks.iter().find(|mark| mark.event == at) {
                close(&mut sections, current, above, &mut body);
                let anchor = &anchors[mark.anchor];
                if anchor.rank < super::BOLD {
                    heading = true;
                    above = &anchor.title;
                }
                current = Some(anchor);
            }
            match event {
                Event::End(TagEnd::Heading(_)) => heading = false,
                Event::Text(text) | Event::Code(text) if !heading => body.push_str(text),
                Event::End(TagEnd::TableCell) => body.push_str(" · "),
                Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::CodeBlock)
                | Event::HardBreak
                | Event::SoftBreak => body.push(' '),
                _ => {}
            }
        }
    }
    close(&mut sections, current, above, &mut body);
    // A section without words of its own shows what is in it.
    for at in 0..sections.len() {
        if sections[at].body.is_empty() {
            let below = sections[at + 1..].iter().take_while(|section| section.rank > sections[at].rank);
            let titles: Vec<String> = below
                .map(|section| format!("{} {}", section.rule, section.heading).trim().to_owned())
                .collect();
            sections[at].body = titles.join(" · ");
        }
    }
    sections
}

fn close(sections: &mut Vec<Section>, anchor: Option<&Anchor>, above: &str, body: &mut String) {
    let text = std::mem::take(body).split_whitespace().collect::<Vec<_>>().join(" ");
    let Some(anchor) = anchor else { return };
    // A bold rule begins with its number and its title; both stand in the heading of the hit.
    let mut text = text.trim_end_matches([' ', '·']);
    if anchor.rank >= super::BOLD {
        text = text.strip_prefix(anchor.rule.as_str()).unwrap_or(text).trim_start_matches(['.', ':', ' ']);
        text = text.strip_prefix(anchor.title.as_str()).unwrap_or(text).trim_start_matches(['.', ':', ' ']);
    }
    let heading = if anchor.title.is_empty() { above } else { &anchor.title };
    sections.push(Section {
        rule: anchor.rule.clone(),
        anchor: anchor.id.clone(),
        heading: heading.to_owned(),
        rank: anchor.rank,
        folded_heading: fold(&format!("{} {heading}", anchor.rule)),
        folded_body: fold(text),
        body: text.to_owned(),
    });
}

/// The places where a word begins in a text.
fn places(text: &str, word: &str) -> impl Iterator<Item = usize> {
    let letter = word.starts_with(char::is_alphanumeric);
    let digit = word.starts_with(|c: char| c.is_ascii_digit());
    // 3.1 does not begin in the middle of 2.3.1.
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = text[..*at].chars().next_back();
        !before.is_some_and(|c| (letter && c.is_alphanumeric()) || (digit && c == '.'))
    })
}

fn has(text: &str, word: &str) -> bool {
    places(text, word).next().is_some()
}

pub(super) fn search(sections: &[Section], index: &Index, asked: &str) -> Vec<Hit> {
    let asked = fold(&asked[..boundary(asked, MOST_BYTES)]);
    let edge = |c: char| "\"'()[]{}.,;:?!„“”‘’*`".contains(c);
    let words: Vec<&str> = asked
        .split_whitespace()
        .map(|word| word.trim_matches(edge))
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .collect();
    if words.is_empty() {
        return Vec::new();
    }
    let phrase = words.join(" ");
    let named = index.exact(&phrase).map(|anchor| index.anchors[anchor].id.as_str());
    let mut found: Vec<(u8, &Section)> = sections
        .iter()
        .filter_map(|section| {
            let (heading, body) = (section.folded_heading.as_str(), section.folded_body.as_str());
            if named == Some(section.anchor.as_str()) {
                return Some((0, section));
            }
            if words.iter().all(|word| has(heading, word)) {
                return Some((1, section));
            }
            let all = words.iter().all(|word| has(heading, word) || has(body, word));
            all.then(|| (if has(body, &phrase) { 2 } else { 3 }, section))
        })
        .collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.truncate(MOST);
    let hit = |(_, section): (u8, &Section)| Hit {
        rule: section.rule.clone(),
        anchor: section.anchor.clone(),
        heading: section.heading.clone(),
        snippet: snippet(section, &words, &phrase),
    };
    found.into_iter().map(hit).collect()
}

/// The greatest place up to `at` where a letter begins.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The words around the place where the most of what was asked for stands together.
fn snippet(section: &Section, words: &[&str], phrase: &str) -> String {
    let (body, folded) = (section.body.as_str(), section.folded_body.as_str());
    // Where the words stand together they are marked together; a short word alone is hardly what was looked for.
    let long = |word: &&str| word.chars().count() > 2 || words.len() == 1;
    let mut marks: Vec<(usize, usize)> = places(folded, phrase).map(|at| (at, at + phrase.len())).collect();
    if marks.is_empty() {
        for word in words.iter().copied().filter(long) {
            marks.extend(places(folded, word).map(|at| (at, at + word.len())));
        }
    }
    marks.sort_by_key(|(from, to)| (*from, std::cmp::Reverse(*to)));
    let worth = |from: usize| {
        let window = &folded[from..boundary(folded, from + SNIPPET - LEAD)];
        let whole = if window.starts_with(phrase) { 1 } else { 0 };
        whole + words.iter().filter(|word| has(window, word)).count()
    };
    let best = marks.iter().map(|(from, _)| *from).rev().max_by_key(|from| worth(*from)).unwrap_or(0);
    let mut from = boundary(body, best.saturating_sub(LEAD));
    if from > 0 {
        from += body[from..best].find(' ').map_or(best - from, |space| space + 1);
    }
    let mut to = boundary(body, from + SNIPPET);
    if to < body.len() {
        to = body[from..to].rfind(' ').map_or(to, |space| from + space);
    }
    let mut snippet = String::new();
    if from > 0 {
        snippet.push_str("… ");
    }
    let mut done = from;
    for (start, end) in marks {
        if start < done || end > to {
            continue;
        }
        snippet.push_str(&escape(&body[done..start]));
        snippet.push_str("<mark>");
        snippet.push_str(&escape(&body[start..end]));
        snippet.push_str("</mark>");
        done = end;
    }
    snippet.push_str(&escape(&body[done..to]));
    if to < body.len() {
        snippet.push_str(" …");
    }
    snippet
}
