//! Blocks and markers: a block stands and shows its face to its owner, shows its back to the others, or lies face up.

use maud::{Markup, html};
use triumph::{Faction, Kind, Power};

use super::pen::Tenths;

/// The side that others see of a block, and how it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lies {
    /// Upright: its owner sees its face.
    Standing,
    /// Face up: everybody does.
    FaceUp,
}

/// A face: what its owner knows, and everybody once it lies face up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Its nation; `None` for the fort of an Armed Minor.
    pub power: Option<Power>,
    /// Its type.
    pub kind: Kind,
    /// Its strength.
    pub cv: u8,
    /// The most strength that it can have.
    pub most: u8,
    /// Whether it is at sea though it is a ground unit. Rule 12.72.
    pub convoy: bool,
}

/// The class of a nation's blocks.
pub const fn nation_class(power: Option<Power>) -> &'static str {
    match power {
        Some(power) => power.word(),
        None => "neutral",
    }
}

/// A pip is so wide.
const PIP: f64 = 3.3;
/// From one pip to the next.
const PIP_STEP: f64 = 4.4;

/// The pips of the strength: full ones, then those that are missing.
fn pips(cv: u8, most: u8, y: f64) -> Markup {
    let left = -(f64::from(most) * PIP_STEP - (PIP_STEP - PIP)) / 2.0;
    let row = |range: std::ops::Range<u8>| -> String {
        let pip =
            |at: u8| format!("M{} {}h{PIP}", Tenths::of(left + f64::from(at) * PIP_STEP), Tenths::of(y));
        range.map(pip).collect()
    };
    html! {
        path.pip d=(row(0..cv)) {}
        @if cv < most { path.pip.none d=(row(cv..most)) {} }
    }
}

/// The most strength that any unit can have. Rule 3.1.
const MOST_CV: u8 = 4;

/// The pips of all standing blocks, to be drawn from: so a block takes less to send.
pub fn pip_symbols() -> Markup {
    html! {
        svg.symbols width="0" height="0" aria-hidden="true" {
            defs {
                @for most in 1..=MOST_CV {
                    @for cv in 1..=most { g id={"p-" (cv) "-" (most)} { (pips(cv, most, -8.1)) } }
                }
            }
        }
    }
}

/// A face, without the element that puts it somewhere.
pub fn face(face: Face, lies: Lies) -> Markup {
    let sign = if face.convoy { "convoy" } else { face.kind.word() };
    match lies {
        Lies::Standing => html! {
            use href="#t-stand" {}
            use href={"#p-" (face.cv) "-" (face.most.max(face.cv))} {}
            use.unit href={"#u-" (sign)} x="-8" y="-5" width="16" height="16" {}
        },
        Lies::FaceUp => html! {
            g transform="rotate(-7)" {
                use href="#t-lying" {}
                (pips(face.cv, face.most.max(face.cv), -7.9))
                use.unit href={"#u-" (sign)} x="-7.5" y="-5.5" width="15" height="15" {}
            }
        },
    }
}

/// So many backs of a nation, one behind the other: nothing else is told.
pub fn backs(power: Power, count: usize) -> Markup {
    html! {
        @for behind in (1..count.min(3)).rev() {
            use href="#t-back" x=(Tenths::of(behind as f64 * 2.2)) y=(Tenths::of(behind as f64 * -2.2)) {}
        }
        use href="#t-back" {}
        use href={"#e-" (power.faction().word())} transform="translate(0 -9.2) scale(.38)" {}
        @if count > 1 { text.count y="7.3" { (count) } }
    }
}

/// The markers of a Faction in a nation, each a little over the one before, around a place.
pub fn discs(faction: Faction, count: u8) -> Markup {
    let left = -3.0 * (f64::from(count) - 1.0);
    html! {
        @for at in 0..count {
            g transform={"translate(" (Tenths::of(left + f64::from(at) * 6.0)) " " (Tenths::of(f64::from(at) * -2.0)) ")"} {
                circle.disc r="7.5" {}
                use href={"#e-" (faction.word())} transform="scale(.62) translate(0 -2.8)" {}
            }
        }
    }
}

/// "translate(x y)".
pub fn at([x, y]: [f64; 2]) -> String {
    format!("translate({} {})", Tenths::of(x), Tenths::of(y))
}
