//! Everything that is drawn more than once: terrain, effects, silhouettes, counters. They stand once in the sheet and are
//! shown with `<use>`, so that a token on the board costs a hundred bytes. All of it is our own drawing.

use blitz::units::{Ability, Class, KINDS, Kind, KindInfo, Side};
use maud::{Markup, PreEscaped, html};

/// The shapes that are drawn by hand.
const SHAPES: &str = include_str!("symbols.svg");

/// The definitions, for the beginning of a sheet.
pub fn definitions() -> Markup {
    html! {
        svg.definitions aria-hidden="true" width="0" height="0" {
            defs {
                (PreEscaped(SHAPES))
                @for info in &KINDS { (face(info)) }
            }
        }
    }
}

/// What a counter of a kind shows: silhouette, strength, ability.
fn face(info: &KindInfo) -> Markup {
    let sign = sign(info);
    html! {
        symbol #{"k-" (info.word)} viewBox="0 0 64 64" {
            use href={"#f-" (figure(info))} y="4" width="64" height="42" {}
            @if let Some(sign) = sign { use.sign href={"#s-" (sign)} x="10" y="39" width="17" height="17" {} }
            text.strength x=(if sign.is_some() { "43" } else { "32" }) y="56" { (strength(info.kind)) }
        }
    }
}

/// The silhouette of a kind.
const fn figure(info: &KindInfo) -> &'static str {
    match info.ability {
        Ability::General => "general",
        Ability::Admiral => "admiral",
        Ability::Nuclear => "nuclear",
        Ability::Scientist => "scientist",
        Ability::Spy => "spy",
        _ => match info.class {
            Class::Army => "army",
            Class::Navy => "navy",
            Class::Airforce => "airforce",
            Class::Monster => "godzilla",
            Class::Scientist => "scientist",
        },
    }
}

/// The sign of what a kind does besides its strength.
const fn sign(info: &KindInfo) -> Option<&'static str> {
    match info.ability {
        Ability::Blitz => Some("blitz"),
        Ability::Bombing => Some("bombing"),
        Ability::TaskForce => Some("task"),
        Ability::None if info.special => Some("elite"),
        _ => None,
    }
}

/// The strength as it is printed; leaders grow, a spy has none of its own. Rules 5.2, 5.7.
fn strength(kind: Kind) -> String {
    match kind.ability() {
        Ability::General | Ability::Admiral => format!("{}+", kind.info().strength),
        Ability::Spy => "?".to_owned(),
        _ => kind.info().strength.to_string(),
    }
}

/// What a token does, in a few words, for those who point at it.
pub const fn about(kind: Kind) -> &'static str {
    match kind.ability() {
        Ability::None => "",
        Ability::Blitz => "blitz: one more unit in the same theatre",
        Ability::General => "1, and 1 for each own army and airforce in the theatre",
        Ability::Admiral => "1, and 1 for each own navy and airforce in the theatre",
        Ability::Bombing => "also bombs, in addition to the effect of its space",
        Ability::TaskForce => "ignores the effect of its space",
        Ability::Nuclear => "two spaces back in every other open theatre",
        Ability::Scientist => "any empty space of any open theatre",
        Ability::Spy => "copies the opponent's last unit",
    }
}

/// The class of a side: which colours count in an element.
pub const fn side_class(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// The shape of a side's counters: sides differ by more than their colour.
const fn body(side: Side) -> &'static str {
    match side {
        Side::First => "#c-first",
        Side::Second => "#c-second",
    }
}

/// A counter, face up.
pub fn counter(side: Side, kind: Kind) -> Markup {
    html! {
        svg.counter.(side_class(side)).special[kind.is_special()] viewBox="0 0 64 64" aria-hidden="true" {
            use href=(body(side)) {}
            use href={"#k-" (kind.word())} {}
        }
    }
}

/// A counter, face down.
pub fn back(side: Side) -> Markup {
    html! {
        svg.counter.back.(side_class(side)) viewBox="0 0 64 64" aria-hidden="true" {
            use href=(body(side)) {}
            use href="#c-emblem" {}
        }
    }
}

/// Victory points on a shield.
pub fn shield(vp: u8) -> Markup {
    html! {
        svg.worth viewBox="0 0 28 32" role="img" aria-label={(vp) " victory points"} {
            use href="#shield" {}
            text x="14" y="22" { (vp) }
        }
    }
}
