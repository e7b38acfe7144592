//! What `maproom check blitz` says about our data and about files that a user wrote.

use diagnostics::FileCheck;
use diagnostics::Problems;
use diagnostics::examples::{Checked, must_pass, report};

use crate::layout::{self, Layout};
use crate::units::Supply;
use crate::{example_runner, examples};

/// The kinds of file.
pub(crate) const KINDS: &[(&str, &str)] =
    &[("examples", "positions and what must come of them, as in the rulebook's worked examples")];

/// Our own boards, tokens and examples.
pub(crate) fn builtin() -> Result<Vec<String>, Problems> {
    let mut lines = Vec::new();
    for (name, text) in [("board.toml", layout::BASE_SOURCE), ("nippon.toml", layout::NIPPON_SOURCE)] {
        let board = Layout::parse(name, text)?;
        let campaigns: usize = board.theatres.iter().map(|theatre| theatre.campaigns.len()).sum();
        let (theatres, spaces) = (board.theatres.len(), board.spaces.len());
        lines.push(format!("{name}: {theatres} theatres, {campaigns} campaigns, {spaces} spaces"));
    }
    let supply = Supply::new(false, true);
    let (units, weapons) = (supply.bags[0].len(), supply.pile.len());
    lines.push(format!("{units} units a side, {weapons} special weapons (16 in the printing of 2019)"));
    let check = file("examples", "examples.toml", examples::SOURCE)?;
    lines.extend(must_pass("examples.toml", examples::SOURCE, check)?);
    Ok(lines)
}

/// A file of a user.
pub(crate) fn file(kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems> {
    if kind != "examples" {
        let mut problems = Problems::new(name, "");
        problems.error(0..0, format!("blitz has no files of the kind {kind:?}")).expected("examples");
        return Err(problems);
    }
    let (list, problems) = examples::read(name, text)?;
    let checked = list.iter().map(|example| Checked {
        id: &example.id,
        about: &example.title,
        span: example.span.clone(),
        wrong: example_runner::run(example),
    });
    Ok(report(&problems, checked))
}
