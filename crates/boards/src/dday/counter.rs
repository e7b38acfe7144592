//! A battalion's counter: a block in its nation's colour with the sign that staffs use, and what it has done this turn.
//!
//! What never changes of it lies in the sheet (`s-ID`); the scene adds the rest (`f-ID`). Panels and fans show the same
//! counter again by reference.

use dday::{Activation, Class, Mode, Quality, Rules, Scenario, State, Troop, mark};
use maud::{Markup, html};

/// The class that gives a nation its colours; nations that nobody knows are grey.
pub fn nation(scenario: &Scenario, side: dday::Side) -> &'static str {
    match scenario.sides[side.index()].id.as_str() {
        "US" => "nation us",
        "UK" => "nation uk",
        "CW" => "nation cw",
        "GE" => "nation ge",
        "SU" => "nation su",
        "PL" => "nation pl",
        _ if side == dday::Side::First => "nation us",
        _ => "nation ge",
    }
}

/// What a class is called.
pub const fn class_word(class: Class) -> &'static str {
    match class {
        Class::Infantry => "infantry",
        Class::Engineers => "engineers",
        Class::Recon => "reconnaissance",
        Class::Tank => "tanks",
        Class::TankDestroyer => "tank destroyers",
        Class::AssaultGun => "assault guns",
        Class::Antitank => "antitank guns",
        Class::Artillery => "artillery",
        Class::SelfPropelled => "self-propelled artillery",
        Class::Headquarters => "headquarters",
    }
}

/// The pieces of its sign.
fn signs(troop: &Troop, kind: &str) -> Vec<&'static str> {
    let mut signs = match troop.class {
        Class::Infantry => vec!["inf"],
        Class::Engineers => vec!["eng"],
        Class::Recon => vec!["rec"],
        Class::Tank => vec!["oval"],
        Class::TankDestroyer => vec!["oval", "chevron"],
        Class::AssaultGun => vec!["oval", "gun"],
        Class::Antitank => vec!["chevron"],
        Class::Artillery if kind == "art_rocket" => vec!["rocket"],
        Class::Artillery => vec!["dot"],
        Class::SelfPropelled => vec!["oval", "dot"],
        Class::Headquarters => return vec!["hq"],
    };
    let on_tracks = troop.mode == Mode::Mechanized;
    match troop.class {
        Class::Infantry | Class::Engineers | Class::Recon if on_tracks => signs.push("oval"),
        _ => {}
    }
    match kind {
        "inf_para" | "art_pack" => signs.push("para"),
        "inf_glider" => signs.push("glider"),
        _ => {}
    }
    if troop.mode == Mode::Motorized {
        signs.push("wheels");
    }
    signs
}

/// The short name on the counter: what stands behind the nation in its word.
fn short(id: &str) -> String {
    let tail = id.split_once('-').map_or(id, |(_, tail)| tail);
    tail.chars().take(7).collect::<String>().to_uppercase()
}

/// What never changes of a counter. It stands around its own middle and is sixty units wide.
pub fn still(rules: &Rules, unit: u8) -> Markup {
    let (troop, paper) = (rules.troop(unit), &rules.scenario.papers[usize::from(unit)]);
    let label = if troop.is_hq() { formation_short(rules, troop) } else { short(&paper.id) };
    let tight = (label.chars().count() > 5).then_some("34");
    html! {
        g #{"s-" (paper.id)} class=(nation(&rules.scenario, troop.side)) {
            rect.shade x="-28" y="-27" width="60" height="60" rx="5" {}
            rect.body x="-30" y="-30" width="60" height="60" rx="5" {}
            path.gleam d="M-28 25V-25Q-28-28-25-28H25" {}
            rect.box.veteran[troop.quality == Quality::Veteran] x="-19" y="-13" width="38" height="25" {}
            @for sign in signs(troop, &paper.kind) { use href={"#n-" (sign)} {} }
            @if troop.class.is_armour() { text.weight x="0" y="3.4" { (troop.weight) } }
            text.id x="-26" y="-17.5" textLength=[tight] lengthAdjust=[tight.map(|_| "spacingAndGlyphs")] { (label) }
            path.size d=(size_mark(troop)) {}
            path.pips d=(pips(troop.quality)) {}
            text.save x="-26" y="26.5" { (troop.save) }
            @if troop.range > 0 { text.range x="0" y="26" { "↦" (troop.range) } }
        }
    }
}

/// The word of a formation without its nation.
fn formation_short(rules: &Rules, troop: &Troop) -> String {
    short(&rules.scenario.formations[usize::from(troop.formation)].id)
}

/// Two strokes for a battalion, one for a company; crosses for what a headquarters leads.
const fn size_mark(troop: &Troop) -> &'static str {
    match (troop.is_hq(), troop.detachment) {
        (true, _) => "M15-24.5l7 7m0-7l-7 7",
        (false, true) => "M19-25v7.5",
        (false, false) => "M17-25v7.5M21.5-25v7.5",
    }
}

/// One dot, two or three: poor, regular, veteran.
const fn pips(quality: Quality) -> &'static str {
    match quality {
        Quality::Poor => "M24.5 9h0",
        Quality::Regular => "M24.5 9h0M24.5 1.5h0",
        Quality::Veteran => "M24.5 9h0M24.5 1.5h0M24.5-6h0",
    }
}

/// The counter as it stands now.
pub fn face(rules: &Rules, s: &State, unit: u8) -> Markup {
    let (troop, battalion) = (rules.troop(unit), s.unit(unit));
    let id = &rules.scenario.papers[usize::from(unit)].id;
    let spent = battalion.is(mark::DONE | mark::FIRED) || (s.night && battalion.is(mark::NIGHT_MOVED));
    let moving = battalion.result.moves();
    let left = if moving { battalion.mp } else { troop.moves };
    html! {
        g #{"f-" (id)} .counter.spent[spent] {
            use href={"#s-" (id)} {}
            text.move.left[moving].(nation(&rules.scenario, troop.side)) x="26" y="26.5" { (left) }
            (chips(rules, s, unit))
        }
    }
}

/// Small seals at the upper edge: the activation, the road, a blow that it took, its supply.
fn chips(rules: &Rules, s: &State, unit: u8) -> Markup {
    let (troop, battalion) = (rules.troop(unit), s.unit(unit));
    let mut chips: Vec<(&str, &str)> = Vec::new();
    match battalion.result {
        Activation::None => {}
        Activation::Hold => chips.push(("hold", "M-2.8-2.8h5.6v5.6h-5.6z")),
        Activation::Fallback => chips.push(("fallback", "M3-4L-4 0L3 4z")),
        Activation::Full => chips.push(("full", "M-2.5-4L4 0L-2.5 4z")),
        Activation::Double => chips.push(("double", "M-4.5-4L0-1V-4L5 0L0 4V1L-4.5 4z")),
    }
    if battalion.is(mark::ROAD) {
        chips.push(("road", "M-2.5-5L-3.5 5M2.5-5L3.5 5M0-4V-2M0 0V2"));
    }
    if battalion.is(mark::DONE) {
        chips.push(("fought", "M-4-4L4 4M4-4L-4 4"));
    } else if battalion.is(mark::FIRED) {
        chips.push(("fought", "M0-5V5M-5 0H5M-3.5-3.5L3.5 3.5M3.5-3.5L-3.5 3.5"));
    }
    if battalion.is(mark::ATTACKED) {
        chips.push(("hit", "M-4.5 0H4.5M0-4.5V4.5M3 0A3 3 0 1 1-3 0A3 3 0 1 1 3 0"));
    }
    html! {
        @for (at, (class, path)) in chips.into_iter().enumerate() {
            g class={"chip " (class)} transform={"translate(" (26 - 14 * at as i32) " -30)"} { circle r="7" {} path d=(path) {} }
        }
        @if battalion.unsupplied > 0 && battalion.on_map() {
            g.chip.hungry.now[rules.is_cut_off(s, unit)] transform="translate(-27 -6)" { circle r="7.5" {} text y="3.8" { "S" } }
        }
        @if rules.is_fixed(s, unit) {
            g.chip.fixed transform="translate(-24 10)" { rect x="-8" y="-6" width="18" height="12" rx="3" {} text x="1" y="3.6" { "T" (troop.fixed_until) } }
        }
    }
}

/// A counter in a panel.
pub fn small(rules: &Rules, unit: u8) -> Markup {
    let id = &rules.scenario.papers[usize::from(unit)].id;
    html! { svg.mini viewBox="-33 -39 66 72" aria-hidden="true" { use href={"#f-" (id)} {} } }
}

/// A battalion in words: "4th County of London Yeomanry: tanks, Veteran, save 5, moves 2; full move, 1 left".
pub fn words(rules: &Rules, s: &State, unit: u8) -> String {
    let (troop, battalion) = (rules.troop(unit), s.unit(unit));
    let mut text = format!(
        "{}: {}{}, {}, {}, save {}, moves {}",
        rules.unit_name(unit),
        if troop.detachment { "detachment of " } else { "" },
        class_word(troop.class),
        mode_word(troop.mode),
        troop.quality.title(),
        troop.save,
        troop.moves
    );
    let mut add = |words: String| {
        text.push_str(", ");
        text.push_str(&words);
    };
    if troop.range > 0 {
        add(format!("range {}", troop.range));
    }
    if troop.weight > 0 {
        add(format!("armour {}", troop.weight));
    }
    if battalion.result != Activation::None {
        add(battalion.result.title().to_owned());
    }
    if battalion.result.moves() {
        add(format!("{} left", battalion.mp));
    }
    for (bit, words) in [
        (mark::ROAD, "moved by road"),
        (mark::DONE, "has fought"),
        (mark::FIRED, "has fired"),
        (mark::ATTACKED, "was attacked"),
    ] {
        if battalion.is(bit) {
            add(words.to_owned());
        }
    }
    if rules.is_cut_off(s, unit) {
        add("out of supply".to_owned());
    } else if battalion.unsupplied > 0 {
        add("supply is failing".to_owned());
    }
    if rules.is_fixed(s, unit) {
        add(format!("may not move before turn {}", troop.fixed_until));
    }
    text
}

const fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Leg => "on foot",
        Mode::Motorized => "motorized",
        Mode::Mechanized => "mechanized",
    }
}
