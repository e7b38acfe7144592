//! `maproom rule`: a rule of a rulebook, or its contents.

use std::process::ExitCode;
use std::sync::{Arc, LazyLock};

use web::{Rulebook, Title};

use crate::arguments::RuleOrder;
use crate::registry;

static TITLES: LazyLock<Vec<Arc<dyn Title>>> = LazyLock::new(registry::boards);

/// The rulebook of a game.
fn book(game: &str) -> Option<&'static Rulebook> {
    TITLES.iter().find(|title| title.id() == game).map(|title| title.rulebook())
}

/// The section of a rule: from its heading or bold number to the next one of the same or a higher level. `2` finds 2.0.
pub fn section(game: &str, rule: &str) -> Option<&'static str> {
    book(game)?.section_markdown(rule)
}

/// Runs `maproom rule`.
pub fn run(order: &RuleOrder) -> Result<ExitCode, String> {
    let title = registry::title(&order.game)?;
    let book = book(title.id()).ok_or_else(|| format!("{} has no rulebook", title.id()))?;
    match &order.rule {
        Some(rule) => {
            let found = book.section_markdown(rule).ok_or_else(|| {
                format!("there is no rule {rule:?}; `maproom rule {}` shows the contents", title.id())
            })?;
            outln!("{found}");
        }
        None => {
            let mut fenced = false;
            for line in book.markdown().lines() {
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
