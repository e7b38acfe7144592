//! The rulebooks, built in, and how to find a rule in them.

use std::process::ExitCode;

use crate::arguments::RuleOrder;
use crate::registry;

/// The rulebook of a game.
pub fn text(game: &str) -> Option<&'static str> {
    match game {
        "echoes" => Some(include_str!("../../../docs/rules/echoes.md")),
        _ => None,
    }
}

/// The section of a rule: its heading or bold number, and all up to the next of the same or a higher rank. `2` finds 2.0.
pub fn section<'a>(book: &'a str, rule: &str) -> Option<&'a str> {
    let rule = rule.trim().trim_end_matches('.');
    exact_section(book, rule).or_else(|| {
        let whole = !rule.is_empty() && rule.bytes().all(|byte| byte.is_ascii_digit());
        whole.then(|| exact_section(book, &format!("{rule}.0")))?
    })
}

fn exact_section<'a>(book: &'a str, rule: &str) -> Option<&'a str> {
    let mut start = None;
    let mut offset = 0;
    let mut fenced = false;
    for line in book.split_inclusive('\n') {
        fenced ^= line.starts_with("```");
        let found = if fenced { None } else { rank(line) };
        match (start, found) {
            (None, Some((rank, number))) if number.eq_ignore_ascii_case(rule) => start = Some((offset, rank)),
            (Some((from, began)), Some((rank, _))) if rank <= began => {
                return Some(book[from..offset].trim_end());
            }
            _ => {}
        }
        offset += line.len();
    }
    start.map(|(from, _)| book[from..].trim_end())
}

/// The rank (number of `#`, 9 for a bold paragraph) and the rule number that a line begins with; a heading without
/// a number has an empty one.
fn rank(line: &str) -> Option<(usize, &str)> {
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    let (rank, words) =
        if hashes > 0 { (hashes, line[hashes..].trim_start()) } else { (9, line.strip_prefix("**")?) };
    let number = words.split(|c: char| c.is_whitespace() || c == '*').next().unwrap_or_default();
    let number = number.trim_end_matches(['.', ':']);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        || (number.starts_with('R')
            && number.len() > 1
            && number[1..].bytes().all(|byte| byte.is_ascii_digit()));
    match (hashes > 0, is_number) {
        (_, true) => Some((rank, number)),
        (true, false) => Some((rank, "")),
        (false, false) => None,
    }
}

/// Runs `maproom rule`.
pub fn run(order: &RuleOrder) -> Result<ExitCode, String> {
    let title = registry::title(&order.game)?;
    let book = text(title.id()).ok_or_else(|| format!("{} has no rulebook", title.id()))?;
    match &order.rule {
        Some(rule) => {
            let found = section(book, rule).ok_or_else(|| {
                format!("there is no rule {rule:?}; `maproom rule {}` shows the contents", title.id())
            })?;
            outln!("{found}");
        }
        None => {
            let mut fenced = false;
            for line in book.lines() {
                fenced ^= line.starts_with("```");
                if fenced || !line.starts_with('#') {
                    continue;
                }
                let depth = line.bytes().take_while(|byte| *byte == b'#').count();
                outln!("{}{}", "  ".repeat(depth - 1), line[depth..].trim());
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_found_by_its_number() {
        let book = "# Book\n## 2.0 Map\nx\n### 2.1 Turns\nturns\n**2.1.1** fine\n**2.1.2** finer\n### 2.2 Tracks\ntracks\n";
        assert_eq!(section(book, "2.1"), Some("### 2.1 Turns\nturns\n**2.1.1** fine\n**2.1.2** finer"));
        assert_eq!(section(book, "2.1.1"), Some("**2.1.1** fine"));
        assert_eq!(section(book, "2.2"), Some("### 2.2 Tracks\ntracks"));
        assert_eq!(section(book, "2.2.7"), None);
        assert_eq!(section(book, "9.1"), None);
        assert_eq!(section(book, "2"), section(book, "2.0"));
        assert!(section(book, "2").is_some());
    }

    #[test]
    fn a_comment_in_a_code_block_is_no_heading() {
        let book = "## 7.7 Form\n```text\n# not a heading\n1.1 Title\n```\nafter\n## 7.8 Limits\n";
        assert_eq!(
            section(book, "7.7"),
            Some("## 7.7 Form\n```text\n# not a heading\n1.1 Title\n```\nafter")
        );
    }

    /// Every rule that the words of a game can cite must be there to be opened.
    #[test]
    fn the_rules_that_the_game_cites_exist() {
        let book = text("echoes").expect("the rulebook is built in");
        let sources = [
            include_str!("../../echoes/src/words.rs"),
            include_str!("../../echoes/src/legality.rs"),
            include_str!("../../echoes/src/odds.rs"),
        ];
        let mut cited = 0;
        for quoted in sources.iter().flat_map(|source| source.split('"')) {
            let mut parts = quoted.split('.');
            let is_rule = quoted.contains('.')
                && parts.all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
            if is_rule {
                cited += 1;
                assert!(section(book, quoted).is_some(), "rule {quoted} is cited but not in the rulebook");
            }
        }
        assert!(cited > 30, "only {cited} citations were found");
    }
}
