//! The board: the map in the sheet, every piece a part of its own, and one part with the hexes that are lit.

use kernel::{Options, Wording as _};
use maud::{Markup, html};
use terrain::Cell;
use web::{Asked, Board, BotOffer, Scene, Tone, seat_fields};

use super::Expanse;
use super::map::{GRID, Ground, PIECES};
use super::rules::{Choice, State, side_of};
use super::words;

const RULEBOOK: &str = "# Large map

## 1 The map

1.1 The map has 4,000 hexes, and each side 200 pieces.

1.2 Nobody enters a lake. Woods, hills and towns give cover.

1.3 A turn has 95 activations of each side, by turns.

1.4 A town belongs to the side whose piece entered it last.

## 2 Activations

2.1 The thirteen next pieces of the army that are on the map are ready.

2.2 Move one of them to the next hex, unless one of your own stands there.

2.3 Or move nothing.

## 3 Fights

3.1 A piece that would enter the hex of an enemy attacks it.

3.2 Roll a die: 5 or 6 hits the defender, in cover only 6; 1 hits the attacker.

3.3 The second hit takes a piece off the map. If it was the defender, the attacker enters the hex.

3.4 Lost pieces come back where they began when the next turn begins, if nobody stands there.

## 4 The end

4.1 After the last turn the side with more towns wins.
";

/// The left and upper corner of a hex on the map.
fn corner(cell: Cell) -> (u32, u32) {
    let (column, row) = (u32::from(GRID.column(cell)), u32::from(GRID.row(cell)));
    ((column - 1) * 30, (row - 1) * 34 + column % 2 * 17)
}

/// The board of the large map.
pub struct ExpanseBoard;

impl Board for ExpanseBoard {
    type Game = Expanse;

    const CREDIT: &'static str = "A toy to measure by.";
    const PITCH: &'static str = "Two armies on four thousand hexes.";
    const RULEBOOK: &'static str = RULEBOOK;
    const STYLE: &'static str = "";
    const PIECES: bool = true;

    fn setup_title(game: &Expanse) -> String {
        format!("Large map, {} turns", game.turns)
    }
    fn setup_class(options: &Options) -> (String, String) {
        ("Large map".to_owned(), options.get("turns").cloned().unwrap_or_default())
    }
    fn new_game_fields(bots: &[BotOffer]) -> Markup {
        seat_fields(&words::SIDES, bots)
    }

    fn sheet(game: &Expanse) -> Markup {
        html! {
            div.expanse {
                div #situation-place {}
                svg #map .map viewBox="0 0 2420 1730" role="group" aria-label="Map" {
                    defs { path #hex d="M10 0H30L40 17L30 34H10L0 17Z" {} }
                    g.ground {
                        @for (cell, ground) in GRID.cells().zip(&game.map.ground) {
                            @let (x, y) = corner(cell);
                            @let town = matches!(ground, Ground::Town(_)).then(|| format!("town-{}", GRID.name(cell)));
                            use id=[town] class=(ground.word()) href="#hex" x=(x) y=(y) {
                                title { (GRID.name(cell)) " " (ground.word()) }
                            }
                        }
                    }
                    g.numbers {
                        @for cell in GRID.cells() {
                            @let (x, y) = corner(cell);
                            text x=(x + 20) y=(y + 9) { (GRID.name(cell)) }
                        }
                    }
                    g #targets-place {}
                    g #pieces {}
                }
            }
        }
    }

    fn draw(game: &Expanse, view: &&State, asked: &Asked<'_, Choice>, scene: &mut Scene) {
        scene.add("situation-place", "situation", situation(view));
        for (town, owner) in game.map.towns.iter().zip(&view.owners) {
            let owner = ["town north", "town south", "town"][usize::from(*owner).min(2)];
            scene.class(format!("town-{}", GRID.name(*town)), owner);
        }
        scene.add("targets-place", "targets", targets(game, asked));
        for piece in (0..PIECES).filter(|piece| view.is_there(*piece)) {
            scene.add("pieces", format!("p-{}", words::piece(piece)), counter(view, piece, asked));
        }
    }

    fn thumbnail(_: &Expanse, view: &&State, _: Tone) -> Markup {
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2420 1730" {
                @for piece in (0..PIECES).filter(|piece| view.is_there(*piece)) {
                    @let (x, y) = corner(view.piece(piece).cell);
                    circle cx=(x + 20) cy=(y + 17) r="20" fill=(["#a33", "#36a"][usize::from(side_of(piece))]) {}
                }
            }
        }
    }
    fn print(game: &Expanse, view: Option<&&State>) -> Markup {
        html! { pre { (view.map(|view| game.picture(view)).unwrap_or_default()) } }
    }
    fn die_face(name: &str) -> Option<u8> {
        match words::read_choice(name)? {
            Choice::Die(die) => Some(die),
            _ => None,
        }
    }
    fn question(game: &Expanse, view: &&State, choice: Choice) -> Option<String> {
        let Choice::Move { to, .. } = choice else { return None };
        view.who(to)?;
        let mut name = String::new();
        game.write_name(view, choice, &mut name);
        Some(name)
    }
}

/// How both sides stand.
fn situation(view: &State) -> Markup {
    html! {
        p #situation {
            @for side in 0..2 {
                span { b { (words::SIDES[usize::from(side)]) } " " (view.towns_of(side)) " towns, " (view.army_of(side)) " pieces " }
            }
        }
    }
}

/// The hexes that a ready piece can be moved to.
fn targets(game: &Expanse, asked: &Asked<'_, Choice>) -> Markup {
    let place = |choice: &Choice| match choice {
        Choice::Move { to, .. } => Some(*to),
        _ => None,
    };
    let mut cells: Vec<Cell> = asked.open.iter().filter_map(|(choice, _)| place(choice)).collect();
    cells.sort_unstable();
    cells.dedup();
    html! {
        g #targets {
            @for cell in cells {
                @let (x, y) = corner(cell);
                @let name = GRID.name(cell);
                use.lit href="#hex" x=(x) y=(y) role="button" tabindex="0" aria-label={(name) " " (game.lie(cell))}
                    data-choice=[asked.names(|choice| place(&choice) == Some(cell))] data-place=(name) {}
            }
        }
    }
}

/// A counter on the map; lit while its piece is ready.
fn counter(view: &State, number: u16, asked: &Asked<'_, Choice>) -> Markup {
    let piece = view.piece(number);
    let (x, y) = corner(piece.cell);
    let name = words::piece(number);
    let own = |choice: &Choice| matches!(choice, Choice::Move { piece, .. } if *piece == number);
    let ready = asked.open.iter().any(|(choice, _)| own(choice));
    let closed = if ready { None } else { asked.reason(|choice| own(&choice)) };
    html! {
        g #{"p-" (name)} .piece.glide.(["north", "south"][usize::from(side_of(number))]).worn[piece.strength == 1].lit[ready]
            transform={"translate(" (x + 20) " " (y + 17) ")"} role=(if ready { "button" } else { "img" })
            tabindex=[ready.then_some("0")] aria-label={(name) " in " (GRID.name(piece.cell)) ", strength " (piece.strength)}
            data-piece=[ready.then(|| format!("move {name}"))] data-closed=[closed] {
            rect x="-13" y="-11" width="26" height="22" rx="3" {}
            path d="M-9 -6h18v10h-18zM-9 -6l18 10M-9 4l18 -10" {}
            text y="10" { (name) }
        }
    }
}
