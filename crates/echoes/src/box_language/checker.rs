//! What is understood but not allowed, or hardly meant. Rule 7.3, "Checker".

use super::ast::{Body, BoxText, Condition, Instr, InstrKind};
use super::{BoxContext, BoxReport, MAX_STEPS};
use crate::ids::{Region, Side};

/// Checks a box that has been read.
pub(super) fn check(parsed: &BoxText, text: &str, context: &BoxContext<'_>, report: &mut BoxReport<'_>) {
    let bodies = bodies(parsed);
    let steps: usize = bodies.iter().map(|body| steps(&body.allies) + steps(&body.axis)).sum();
    if steps > MAX_STEPS {
        report
            .error(0..text.len(), format!("the box has {steps} steps, attacks, Actions and marks in all"))
            .expected(format!("at most {MAX_STEPS}"));
    }
    if text.trim().is_empty() {
        report.warn(0..0, "the box is empty and does nothing").hint("write \"Axis: None.\" if that is meant");
    }
    for body in bodies {
        for (side, instrs) in [(Side::Allies, &body.allies), (Side::Axis, &body.axis)] {
            if side == context.human {
                let mut warned = [false; 6];
                attacks(instrs, [0; 6], &mut warned, report);
            } else {
                bot(instrs, side, report);
            }
        }
    }
}

fn bodies(parsed: &BoxText) -> Vec<&Body> {
    parsed.event.iter().map(|event| &event.body).chain([&parsed.body]).collect()
}

/// The titles of all events that the conditions of a box ask for.
pub(crate) fn asked_titles(parsed: &BoxText) -> Vec<&str> {
    fn collect<'a>(instrs: &'a [Instr], titles: &mut Vec<&'a str>) {
        for instr in instrs {
            if let InstrKind::If { conditions, .. } = &instr.kind {
                titles.extend(conditions.iter().filter_map(|condition| match condition {
                    Condition::EventDone { title, .. } => Some(title.as_str()),
                    _ => None,
                }));
            }
            for inner in parts(&instr.kind) {
                collect(inner, titles);
            }
        }
    }
    let mut titles = Vec::new();
    for body in bodies(parsed) {
        collect(&body.allies, &mut titles);
        collect(&body.axis, &mut titles);
    }
    titles
}

/// What a bot can't or need not do. Rule 7.3.
fn bot(instrs: &[Instr], side: Side, report: &mut BoxReport<'_>) {
    for instr in instrs {
        let span = instr.span.clone();
        match &instr.kind {
            InstrKind::Tow(_) => {
                report
                    .error(span, format!("the {side} side is the bot and has no Tide of War"))
                    .expected("TOW only for the human's side");
            }
            InstrKind::Actions(_) => {
                report
                    .warn(span, format!("the {side} side is the bot: its Actions are all attacks"))
                    .hint("write \"Attacks\"");
            }
            InstrKind::Choose(_) => {
                report
                    .warn(span, format!("the {side} side is the bot: it always takes the first option"))
                    .hint("let a Roll decide");
            }
            _ => {}
        }
        for inner in parts(&instr.kind) {
            bot(inner, side, report);
        }
    }
}

/// Counts the ordered attacks on the worst way through the instructions and warns at the third on a
/// region: no region may be attacked more than twice in a turn. Rule 3.3.
fn attacks(
    instrs: &[Instr],
    mut counts: [u8; 6],
    warned: &mut [bool; 6],
    report: &mut BoxReport<'_>,
) -> [u8; 6] {
    for instr in instrs {
        if let InstrKind::Attack { regions, .. } = &instr.kind {
            for region in regions {
                let index = region.index();
                counts[index] = counts[index].saturating_add(1);
                if counts[index] > 2 && !warned[index] {
                    warned[index] = true;
                    warn_third(*region, instr, report);
                }
            }
        }
        let ways: Vec<[u8; 6]> =
            parts(&instr.kind).into_iter().map(|inner| attacks(inner, counts, warned, report)).collect();
        for way in ways {
            for (count, other) in counts.iter_mut().zip(way) {
                *count = other.max(*count);
            }
        }
    }
    counts
}

fn warn_third(region: Region, instr: &Instr, report: &mut BoxReport<'_>) {
    report
        .warn(instr.span.clone(), format!("this orders more than two attacks on {region}"))
        .hint("no region may be attacked more than twice in a turn; the rest is lost");
}

/// The instructions inside an instruction, one list for each way it can go.
fn parts(kind: &InstrKind) -> Vec<&[Instr]> {
    match kind {
        InstrKind::Roll { branches, .. } => branches.iter().map(Vec::as_slice).collect(),
        InstrKind::If { then, otherwise, .. } => vec![then, otherwise],
        InstrKind::Choose(options) => options.iter().map(|option| option.instrs.as_slice()).collect(),
        _ => Vec::new(),
    }
}

/// Single steps, attacks, Actions and marks, all branches counted.
fn steps(instrs: &[Instr]) -> usize {
    let step = |instr: &Instr| -> usize {
        let own = match &instr.kind {
            InstrKind::Advance(regions) | InstrKind::Attack { regions, .. } => regions.len(),
            InstrKind::AdvanceOf { count, .. }
            | InstrKind::FreeAttacks { count, .. }
            | InstrKind::Actions(count)
            | InstrKind::Mark { count, .. } => usize::from(*count),
            _ => 1,
        };
        own + parts(&instr.kind).into_iter().map(steps).sum::<usize>()
    };
    instrs.iter().map(step).sum()
}
