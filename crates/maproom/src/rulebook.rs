//! `maproom rule`: a rule of a rulebook, or its contents.

use std::process::ExitCode;

use crate::arguments::RuleOrder;
use crate::registry;

/// Runs `maproom rule`.
pub fn run(order: &RuleOrder) -> Result<ExitCode, String> {
    let game = registry::game(&order.game)?;
    let book = game.title.rulebook();
    match &order.rule {
        Some(rule) => {
            let found = book.section_markdown(rule).ok_or_else(|| {
                format!("there is no rule {rule:?}; `maproom rule {}` shows the contents", game.id())
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
