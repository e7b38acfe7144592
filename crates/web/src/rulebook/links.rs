//! References to rules in running text.

/// What a number looks like.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shape {
    /// `7`
    Whole,
    /// `2.3`, `2.5.3`, and how many parts it has.
    Dotted(usize),
    /// `R11`
    Ruling,
}

/// The shape of a rule's number; no year and no other number of many digits has one.
pub(super) fn shape(number: &str) -> Option<Shape> {
    let digits = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if let Some(ruling) = number.strip_prefix('R') {
        return digits(ruling, 3).then_some(Shape::Ruling);
    }
    if digits(number, 2) {
        return Some(Shape::Whole);
    }
    let dotted = number.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(number);
    let parts = dotted.split('.').count();
    (parts > 1 && dotted.split('.').all(|part| digits(part, 3))).then_some(Shape::Dotted(parts))
}

/// A piece of a text.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum Piece<'t> {
    Text(&'t str),
    /// A reference, and what was found for it.
    Link(&'t str, usize),
}

/// A number in a text that could be a reference.
struct Candidate {
    start: usize,
    end: usize,
    shape: Shape,
}

/// How a reference was announced, and so what may follow it in a list.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Announced {
    /// "rules", "sections": further numbers of any shape.
    Many,
    /// "see": further numbers with a dot.
    Some,
    /// "rule", "section": no other.
    One,
}

/// Cuts a text into references and what is between them. A number is a reference if there is such a rule and it
/// stands in parentheses with nothing but other references, or after a word such as "rule" or "see"; a ruling and a
/// number with three parts are always one. With `citing`, the text is a table cell that holds references by its
/// heading.
pub(super) fn pieces<'t>(
    text: &'t str,
    citing: bool,
    find: &dyn Fn(&str) -> Option<usize>,
) -> Vec<Piece<'t>> {
    let candidates = candidates(text);
    let mut meant = vec![false; candidates.len()];
    if citing && is_list(text, &candidates) {
        meant.fill(true);
    }
    in_parentheses(text, &candidates, &mut meant);
    let mut announced: Option<Announced> = None;
    for (n, candidate) in candidates.iter().enumerate() {
        let dotted = matches!(candidate.shape, Shape::Dotted(_) | Shape::Ruling);
        let listed = n > 0 && is_separator(&text[candidates[n - 1].end..candidate.start]);
        announced = match announcement(&text[..candidate.start]) {
            Some(Announced::Some) if !dotted => None,
            Some(word) => Some(word),
            None if listed => match announced {
                Some(Announced::Many) => announced,
                Some(Announced::Some) if dotted => announced,
                _ => None,
            },
            None => None,
        };
        meant[n] |= announced.is_some()
            || candidate.shape == Shape::Ruling
            || matches!(candidate.shape, Shape::Dotted(parts) if parts > 2);
    }
    let mut pieces = Vec::new();
    let mut done = 0;
    for (candidate, meant) in candidates.iter().zip(meant) {
        let number = &text[candidate.start..candidate.end];
        if let Some(found) = meant.then(|| find(number)).flatten() {
            if done < candidate.start {
                pieces.push(Piece::Text(&text[done..candidate.start]));
            }
            pieces.push(Piece::Link(number, found));
            done = candidate.end;
        }
    }
    if done < text.len() {
        pieces.push(Piece::Text(&text[done..]));
    }
    pieces
}

fn candidates(text: &str) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let mut before = ' ';
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if !c.is_alphanumeric() {
            before = c;
            at += c.len_utf8();
            continue;
        }
        let mut end = at;
        let mut rest = text[at..].chars().peekable();
        while let Some(c) = rest.next() {
            let inside = c == '.' && rest.peek().is_some_and(|next| next.is_alphanumeric());
            if !c.is_alphanumeric() && !inside {
                break;
            }
            end += c.len_utf8();
        }
        if let Some(shape) = shape(&text[at..end])
            && !"-–−+/×÷_#$€£=<>'’.,".contains(before)
            && !is_figure(&text[end..])
        {
            candidates.push(Candidate { start: at, end, shape });
        }
        before = text[at..end].chars().next_back().unwrap_or(' ');
        at = end;
    }
    candidates
}

/// Whether what follows a number shows it to be a figure: a share, a range, a sum.
fn is_figure(rest: &str) -> bool {
    let mut next = rest.chars();
    match next.next() {
        Some('%' | '_' | '°' | '×' | '÷' | '=') => true,
        Some('-' | '–' | '−' | '+' | '/' | ',') => next.next().is_some_and(char::is_alphanumeric),
        Some(' ' | '\u{a0}' | '\u{202f}') => matches!(next.next(), Some('%' | '×' | '÷' | '=' | '+' | '−')),
        _ => false,
    }
}

fn is_separator(between: &str) -> bool {
    matches!(between.trim(), "," | ";" | "·" | "&" | "and" | "or" | "to" | ", and" | ", or" | "; and")
}

/// Whether the words before a number say that it is a rule.
fn announcement(before: &str) -> Option<Announced> {
    if before.ends_with('§') {
        return Some(Announced::One);
    }
    let trimmed = before.trim_end();
    if trimmed.len() == before.len() {
        return None;
    }
    let mut words = trimmed.rsplit(|c: char| !c.is_alphanumeric() && c != '§');
    let mut word = words.next()?.to_lowercase();
    if word == "of" || word == "also" {
        word = words.next()?.to_lowercase();
    }
    match word.as_str() {
        "rules" | "rulings" | "sections" | "§§" => Some(Announced::Many),
        "rule" | "ruling" | "section" | "§" => Some(Announced::One),
        "see" => Some(Announced::Some),
        _ => None,
    }
}

/// Whether a text is nothing but references.
fn is_list(text: &str, candidates: &[Candidate]) -> bool {
    let (Some(first), Some(last)) = (candidates.first(), candidates.last()) else { return false };
    let opening = &text[..first.start];
    (opening.trim().is_empty() || (announcement(opening).is_some() && opening.split_whitespace().count() < 3))
        && text[last.end..].trim().is_empty()
        && candidates.windows(2).all(|pair| is_separator(&text[pair[0].end..pair[1].start]))
}

/// Finds the parentheses that hold nothing but references, one of them with a dot or an R.
fn in_parentheses(text: &str, candidates: &[Candidate], meant: &mut [bool]) {
    for (open, _) in text.match_indices('(') {
        let Some(length) = text[open + 1..].find(['(', ')']) else { continue };
        let close = open + 1 + length;
        let from = candidates.partition_point(|candidate| candidate.start < open);
        let to = candidates.partition_point(|candidate| candidate.start < close);
        let inside = &candidates[from..to];
        if text[close..].starts_with('(') || inside.iter().all(|candidate| candidate.shape == Shape::Whole) {
            continue;
        }
        let word = text[..open].trim_end().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if ["box", "boxes", "table", "tables", "figure"].contains(&word.to_lowercase().as_str()) {
            continue;
        }
        let shifted: Vec<Candidate> = inside
            .iter()
            .map(|one| Candidate { start: one.start - open - 1, end: one.end - open - 1, shape: one.shape })
            .collect();
        if is_list(&text[open + 1..close], &shifted) {
            meant[from..to].fill(true);
        }
    }
}
