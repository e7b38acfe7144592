//! Which choices belong to a battalion, and which to a zone: the one place that says where on the board a choice can be
//! made.

use dday::{Choice, Gun, State};
use terrain::Cell;

use web::Asked;

/// Whether a choice is made by pointing at a battalion.
pub fn is_of_unit(choice: Choice, unit: u8) -> bool {
    match choice {
        Choice::Activate(of)
        | Choice::With(of)
        | Choice::Lead(of)
        | Choice::Join(of)
        | Choice::Defend(of)
        | Choice::Advance(of)
        | Choice::Move(of)
        | Choice::Strike(of)
        | Choice::Shell(of)
        | Choice::At(of)
        | Choice::Break(of)
        | Choice::Pick(of)
        | Choice::Fire(Gun::Battalion(of)) => of == unit,
        Choice::Work(job) => job.unit == unit,
        Choice::Rally { hq, unit: who } => hq == unit || who == unit,
        _ => false,
    }
}

/// Whether a choice is made by pointing at a zone, marches apart.
pub fn is_of_zone(s: &State, choice: Choice, zone: Cell) -> bool {
    match choice {
        Choice::Put(of) | Choice::Place { zone: of, .. } | Choice::Retreat { zone: of, .. } => of == zone,
        Choice::Assault { to, .. } | Choice::Raid { to, .. } => to == zone,
        Choice::Work(job) => job.zone == zone,
        Choice::Advance(_) => s.act.to == zone,
        _ => false,
    }
}

/// Whether a choice is made by a button beside the map: it has no place of its own on it.
pub const fn is_order(choice: Choice) -> bool {
    matches!(
        choice,
        Choice::First
            | Choice::Second
            | Choice::WithAll
            | Choice::Roll
            | Choice::Halt
            | Choice::Stand
            | Choice::Hold
            | Choice::Break(_)
            | Choice::Blow
            | Choice::Spare
            | Choice::Shell(dday::NOBODY)
            | Choice::Fire(_)
            | Choice::Attack
            | Choice::Ready
            | Choice::Decline
            | Choice::Keep
            | Choice::Reroll
            | Choice::End
    )
}

/// Names of choices, parted as the client expects them.
pub fn join(names: &[Option<String>]) -> Option<String> {
    let all: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
    (!all.is_empty()).then(|| all.join("|"))
}

/// Why a battalion can't be chosen now.
pub fn why_not<'a>(asked: &'a Asked<'_, Choice>, unit: u8) -> Option<&'a str> {
    asked.reason(|choice| is_of_unit(choice, unit))
}

/// The battalions that are picked up first, because several could go to the same zones.
pub fn piece(asked: &Asked<'_, Choice>, unit: u8) -> Option<&'static str> {
    let mut retreats = asked.open.iter().filter_map(|(choice, _)| match choice {
        Choice::Retreat { unit, .. } => Some(*unit),
        _ => None,
    });
    let first = retreats.next()?;
    let several = retreats.clone().any(|other| other != first);
    (several && (first == unit || retreats.any(|other| other == unit))).then_some("retreat")
}
