//! The strips of the Map Page: turns, modifier tracks, Tide of War, victory points. Rules 2.1, 2.2, 2.5, 3.5, 5.0.

use echoes::book::Verdict;
use echoes::ids::{Region, Track};
use echoes::{Choice, Phase, Rules, State};
use kernel::Standing;
use maud::{Markup, html};

use web::Asked;

/// The turn track: a cell a turn by years, gold where the Confidence Chart is read, red where the strengths change. For
/// paper it is drawn as a position has it.
pub fn turns(rules: &Rules, state: Option<&State>) -> Markup {
    html! {
        ol.turns aria-label="Turn track" {
            @for (at, year) in rules.book.years.iter().enumerate() {
                @let turn = at as u8 + 1;
                @let gold = rules.book.gold.contains(&turn);
                @let red = turn == rules.red;
                @let begins = at == 0 || rules.book.years[at - 1] != *year;
                @let class = state.map_or_else(String::new, |state| turn_class(rules, state, turn));
                li id=(turn_key(turn)) class=(class) title=(turn_title(rules, turn, *year, gold, red)) {
                    @if begins { span.year { (year) } }
                    span.number { (turn) }
                }
            }
        }
    }
}

/// The name of a turn's cell.
pub fn turn_key(turn: u8) -> String {
    format!("turn-{turn}")
}

/// The class of a turn's cell: gold, red, past or now.
pub fn turn_class(rules: &Rules, state: &State, turn: u8) -> String {
    let over = state.phase == Phase::Over;
    let words = [
        (rules.book.gold.contains(&turn), "gold"),
        (turn == rules.red, "red"),
        (turn < state.turn || (over && turn == state.turn), "past"),
        (turn == state.turn && !over, "now"),
    ];
    words.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

fn turn_title(rules: &Rules, turn: u8, year: u16, gold: bool, red: bool) -> String {
    let mut title = format!("Turn {turn}, {year}");
    if gold && let Some((points, _)) = rules.confidence[usize::from(turn)] {
        title.push_str(&format!(". Gold: the Confidence Chart is read, {points} points"));
    }
    if red {
        title.push_str(". Red: from here on the second strengths count");
    }
    title
}

/// Where a modifier track goes, and its name.
pub const fn track_slot(track: Track) -> (&'static str, &'static str) {
    match track {
        Track::Emt => ("track-place-EMT", "track-EMT"),
        Track::Pmt => ("track-place-PMT", "track-PMT"),
        Track::Usa => ("track-place-USA", "track-USA"),
    }
}

/// The width of a modifier track, in units that are pixels on a laptop.
const TRACK_WIDTH: f64 = 168.0;
/// The length of the scale of victory points.
const SCALE: f64 = 620.0;

const fn track_title(track: Track) -> &'static str {
    match track {
        Track::Emt => "Europe EMT",
        Track::Pmt => "Pacific PMT",
        Track::Usa => "USA to Europe",
    }
}

/// Where the cell of a value begins on a modifier track, and how wide it is.
pub fn cell(rules: &Rules, track: Track, value: i8) -> (f64, f64) {
    let (low, high) = (rules.track_min[track.index()], rules.track_max[track.index()]);
    let wide = TRACK_WIDTH / f64::from((high - low + 1).max(1));
    (f64::from(value - low) * wide, wide)
}

/// A modifier track: a cell for each value, with the marker on the current one.
pub fn track(rules: &Rules, state: &State, track: Track, asked: &Asked<'_, Choice>) -> Markup {
    let (low, high) = (rules.track_min[track.index()], rules.track_max[track.index()]);
    let value = state.track(track);
    let belongs = |choice: Choice| match choice {
        Choice::Shift(of) | Choice::TowShift(_, of) => of == track,
        _ => false,
    };
    let open = asked.names(belongs);
    let closed = if open.is_none() { asked.reason(belongs) } else { None };
    let cells = (high - low + 1).max(1);
    let (left, cell) = cell(rules, track, value);
    let x = left + 0.5 * cell;
    let marks = state.marks;
    html! {
        svg id=(track_slot(track).1) .track.lit[open.is_some()] data-choice=[open] data-closed=[closed]
            viewBox={"0 0 " (TRACK_WIDTH) " 58"} role="group" aria-label=(format!("{}: {}", track_title(track), rules.track_words(track, value))) {
            text.title x="2" y="13" { (track_title(track)) }
            text.marks x=(TRACK_WIDTH - 2.0) y="13" {
                title { "Marks: Allies " (marks[0][track.index()]) ", Axis " (marks[1][track.index()]) }
                "✕ " (marks[0][track.index()]) " : " (marks[1][track.index()])
            }
            @for n in 0..cells {
                @let at = low + n;
                rect.cell.(cell_class(rules, track, at)) x=(f64::from(n) * cell + 1.0) y="19" width=(cell - 2.0) height="37" rx="4" {}
                text.value x=((f64::from(n) + 0.5) * cell) y="51" { (cell_words(track, at)) }
            }
            g.marker.glide id={"at-" (track.code())} transform=(format!("translate({x:.1} 31)")) {
                circle r="8.5" {}
                path.cross d="M-3.6 -3.6l7.2 7.2m0-7.2l-7.2 7.2" {}
            }
        }
    }
}

fn cell_class(rules: &Rules, track: Track, value: i8) -> &'static str {
    match track {
        Track::Usa if value >= rules.usa_active => "allied",
        Track::Usa => "even",
        _ if value > 0 => "allied",
        _ if value < 0 => "axis",
        _ => "even",
    }
}

fn cell_words(track: Track, value: i8) -> String {
    match track {
        Track::Usa => value.to_string(),
        _ if value > 0 => "Allies".to_owned(),
        _ if value < 0 => "Axis".to_owned(),
        _ => "even".to_owned(),
    }
}

/// The Tide of War uses that are left. Rule 2.5.1.
pub fn tide(state: &State) -> Markup {
    let used = state.tow_used.count() as u8;
    let all = state.tow_left.saturating_add(used).max(1);
    html! {
        div #tow.tow-left {
            b { "Tide of War" }
            span.uses role="img" aria-label=(format!("{} of {all} left", state.tow_left)) {
                @for n in 0..all { i.use.spent[n >= state.tow_left] {} }
            }
            small { (state.tow_left) " left" @if used > 0 { ", used on " (used_words(state)) } }
        }
    }
}

fn used_words(state: &State) -> String {
    state.tow_used.iter().map(Region::code).collect::<Vec<_>>().join(", ")
}

/// The scale of victory points with the bands of the end and the next Confidence threshold. Rules 3.5, 5.2.
pub fn victory_points(rules: &Rules, state: &State) -> Markup {
    let vp = rules.vp(state);
    let most: u8 = rules.book.regions.iter().map(|region| region.vp.iter().copied().max().unwrap_or(0)).sum();
    let most = most.max(1);
    let x = |points: u8| f64::from(points.min(most)) / f64::from(most) * SCALE;
    let next = rules.next_confidence(state);
    html! {
        div #vp.vp {
            p.total {
                b { (vp) } " VP"
                small { (band_words(rules, state, vp)) }
            }
            svg.scale viewBox={"-14 -10 " (SCALE + 28.0) " 84"} role="img" aria-label=(scale_words(rules, state, vp)) {
                @for (at, band) in rules.book.bands.iter().enumerate() {
                    @let to = if at == 0 { most + 1 } else { rules.book.bands[at - 1].min };
                    @let left = x(band.min);
                    @let width = x(to) - left;
                    @let class = band_class(rules, band.result);
                    rect.band.(class) x=(format!("{left:.0}")) y="28" width=(format!("{width:.0}")) height="20" {}
                    text.band-name x=(format!("{:.0}", left + width / 2.0)) y="66" { (short_title(band.result)) }
                    @if band.min > 0 { text.band-min x=(format!("{left:.0}")) y="43" { (band.min) } }
                }
                @if let Some((turn, points)) = next {
                    g.threshold transform=(format!("translate({:.0} 0)", x(points))) {
                        path d="M0 22v30" {}
                        text y="4" data-side=(if x(points) < SCALE * 0.3 { "start" } else if x(points) > SCALE * 0.7 { "end" } else { "middle" }) { "Turn " (turn) ": " (confidence_words(rules, points)) }
                    }
                }
                g.marker.glide #vp-marker transform=(format!("translate({:.1} 38)", x(vp))) {
                    path d="M0 -12l-9 -14h18z" {}
                    circle r="13" {}
                    text y="5" { (vp) }
                }
            }
        }
    }
}

/// "≤ 8" or "≥ 22": when the Confidence Chart asks for a roll.
fn confidence_words(rules: &Rules, points: u8) -> String {
    use echoes::book::ConfidenceRule;
    match rules.book.confidence_rule {
        ConfidenceRule::AtOrBelow => format!("a roll at {points} or less"),
        ConfidenceRule::Below => format!("a roll below {points}"),
        ConfidenceRule::AtOrAbove => format!("a roll at {points} or more"),
    }
}

fn band_words(rules: &Rules, state: &State, vp: u8) -> String {
    match state.verdict {
        Some(verdict) => verdict.title().to_owned(),
        None => {
            let holds = rules.axis_holds_capital(state);
            let capital = if holds { ", the Axis holds a capital" } else { "" };
            format!("now: {}{capital}", rules.book.band(vp, holds).title())
        }
    }
}

fn scale_words(rules: &Rules, state: &State, vp: u8) -> String {
    let bands: Vec<String> =
        rules.book.bands.iter().map(|band| format!("from {} {}", band.min, band.result.title())).collect();
    let confidence = rules.next_confidence(state).map_or_else(String::new, |(turn, points)| {
        format!(". Confidence Chart at the end of turn {turn}: {}", confidence_words(rules, points))
    });
    format!("{vp} victory points{confidence}. At the end: {}", bands.join(", "))
}

fn band_class(rules: &Rules, verdict: Verdict) -> &'static str {
    match (rules.standing(verdict), verdict) {
        (Standing::Draw, _) => "even",
        (Standing::Win, Verdict::AlliedMajor | Verdict::AxisMajor) => "major",
        (Standing::Win, _) => "minor",
        (Standing::Loss, _) => "loss",
    }
}

const fn short_title(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::AlliedMajor => "Allied major",
        Verdict::AlliedMinor => "minor",
        Verdict::Draw => "draw",
        Verdict::Axis => "Axis victory",
        Verdict::AxisMinor => "minor",
        Verdict::AxisMajor => "Axis major",
        Verdict::AlliedImmediate | Verdict::AxisImmediate | Verdict::ConfidenceFailure => "",
    }
}
