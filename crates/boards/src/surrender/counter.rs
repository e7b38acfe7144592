//! A counter: a block in its nation's colour with the sign that staffs use, its short name, and how it stands: reduced or
//! full, Sorties, supply. It is drawn around its own middle and is 28 units wide.

use maud::{Markup, html};
use surrender::{Kind, Rules, Side, State, Supply, UnitId, UnitInfo, flag};

/// The class that gives a nation its colours.
pub fn nation(rules: &Rules, unit: UnitId) -> String {
    rules.info(unit).country.id().to_lowercase()
}

/// The class of a side.
pub const fn side_class(side: Side) -> &'static str {
    match side {
        Side::Axis => "axis",
        Side::Western => "west",
        Side::Soviet => "sov",
        Side::Lone => "lone",
        Side::Nobody => "nobody",
    }
}

/// The sign of a kind in the sheet's definitions.
const fn sign(kind: Kind) -> &'static str {
    match kind {
        Kind::Infantry => "inf",
        Kind::Shock => "shock",
        Kind::Airborne => "para",
        Kind::Garrison => "gar",
        Kind::Motorised => "mot",
        Kind::Tank => "tank",
        Kind::Fighter => "ftr",
        Kind::Bomber => "bmb",
        Kind::Surface => "ship",
        Kind::Carrier => "cv",
        Kind::Convoy => "cvy",
    }
}

/// What a kind is called.
pub const fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Infantry => "infantry",
        Kind::Shock => "shock army",
        Kind::Airborne => "airborne",
        Kind::Garrison => "garrison",
        Kind::Motorised => "motorised",
        Kind::Tank => "tanks",
        Kind::Fighter => "fighters",
        Kind::Bomber => "bombers",
        Kind::Surface => "surface fleet",
        Kind::Carrier => "carriers",
        Kind::Convoy => "convoys",
    }
}

/// The short name: what stands behind the country in its id.
pub fn short(info: &UnitInfo) -> &str {
    info.id.split_once('-').map_or(&*info.id, |(_, short)| short)
}

/// A unit in words: "German 6th Army, infantry: reduced, Low supply".
pub fn words(rules: &Rules, state: &State, unit: UnitId) -> String {
    let (info, now) = (rules.info(unit), state.unit(unit));
    let mut words =
        format!("{} {}, {}", rules.world.country(info.country).nationality, info.name, kind_word(info.kind));
    let mut facts = Vec::new();
    if info.kind.is_ground() {
        facts.push(if now.level == 0 { "full strength".to_owned() } else { "reduced".to_owned() });
    } else {
        facts.push(format!("{} Sorties", now.level));
    }
    if now.supply != Supply::Full {
        facts.push(format!("{} supply", now.supply.title()));
    }
    if now.has(flag::DONE) {
        facts.push("has acted".to_owned());
    }
    words.push_str(": ");
    words.push_str(&facts.join(", "));
    words
}

/// The classes of a counter that say how it stands.
pub fn classes(rules: &Rules, state: &State, unit: UnitId) -> String {
    let now = state.unit(unit);
    let mut classes = format!("c {} {}", nation(rules, unit), side_class(rules.side_of(state, unit)));
    if rules.kind(unit).is_ground() && now.level > 0 {
        classes.push_str(" reduced");
    }
    match now.supply {
        Supply::Full => {}
        Supply::Low => classes.push_str(" low"),
        Supply::No => classes.push_str(" no"),
    }
    if now.has(flag::DONE | flag::ENDED | flag::RAILED) {
        classes.push_str(" done");
    }
    if state.activation.unit == unit {
        classes.push_str(" active");
    }
    classes
}

/// The face of a counter.
pub fn face(rules: &Rules, state: &State, unit: UnitId) -> Markup {
    let (info, now) = (rules.info(unit), state.unit(unit));
    let name = short(info);
    html! {
        use href={"#k-" (sign(info.kind))} {}
        text.n x="0" y="-7.6" textLength=[(name.len() > 4).then_some("24")] lengthAdjust=[(name.len() > 4).then_some("spacingAndGlyphs")] { (name) }
        @if info.elite { use href="#k-star" {} }
        @if info.kind.is_ground() {
            @if now.level == 0 { path.steps d="M-4 11.4H-1M1 11.4H4" {} } @else { path.steps d="M-1.5 11.4H1.5" {} }
        } @else if now.level > 0 {
            text.sorties x="9.6" y="12" { (now.level) }
        }
        @match now.supply {
            Supply::Full => {}
            Supply::Low => { circle.pip.low cx="-10.5" cy="10.5" r="2.8" {} }
            Supply::No => { circle.pip.no cx="-10.5" cy="10.5" r="2.8" {} }
        }
    }
}

/// A counter in a tray, as a drawing of its own.
pub fn loose(rules: &Rules, state: &State, unit: UnitId) -> Markup {
    html! {
        svg.loose viewBox="-15 -15 30 30" aria-hidden="true" {
            g class=(classes(rules, state, unit)) { (face(rules, state, unit)) }
        }
    }
}
