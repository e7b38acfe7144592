//! Names and sentences.

use kernel::{Prompt, Telling};
use terrain::Cell;

use super::Expanse;
use super::map::{ARMY, GRID};
use super::rules::{Choice, Notice, State, side_of};

/// The sides as people call them.
pub const SIDES: [&str; 2] = ["North", "South"];

/// The name of a piece: `N017`.
pub fn piece(piece: u16) -> String {
    let mut name = String::with_capacity(4);
    write_piece(piece, &mut name);
    name
}

fn write_piece(piece: u16, out: &mut String) {
    let number = piece % ARMY + 1;
    out.push(if side_of(piece) == 0 { 'N' } else { 'S' });
    out.extend([number / 100, number / 10 % 10, number % 10].map(|digit| char::from(b'0' + digit as u8)));
}

/// Reads the name of a piece.
pub fn read_piece(name: &str) -> Option<u16> {
    let (letter, digits) = name.split_at_checked(1)?;
    let is_number = digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let number: u16 = digits.parse().ok().filter(|_| is_number)?;
    let base = match letter {
        "N" => 0,
        "S" => ARMY,
        _ => return None,
    };
    (1..=ARMY).contains(&number).then(|| base + number - 1)
}

/// Writes the name of a choice.
pub fn write_choice(choice: Choice, out: &mut String) {
    match choice {
        Choice::Move { piece: moved, to } => {
            out.push_str("move ");
            write_piece(moved, out);
            out.push(' ');
            GRID.write_name(to, out);
        }
        Choice::Hold => out.push_str("hold"),
        Choice::Die(die) => {
            out.push_str("die ");
            out.push(char::from(b'0' + die));
        }
    }
}

/// Reads the name of a choice.
pub fn read_choice(name: &str) -> Option<Choice> {
    if name == "hold" {
        return Some(Choice::Hold);
    }
    if let Some(face) = name.strip_prefix("die ") {
        return (1..=6).find(|die| face == die.to_string()).map(Choice::Die);
    }
    let (moved, to) = name.strip_prefix("move ")?.split_once(' ')?;
    Some(Choice::Move { piece: read_piece(moved)?, to: GRID.parse(to)? })
}

impl Expanse {
    /// A choice in words.
    pub fn choice_words(&self, state: &State, choice: Choice) -> String {
        match choice {
            Choice::Hold => "Move nothing".to_owned(),
            Choice::Die(die) => format!("The die shows {die}"),
            Choice::Move { piece: moved, to } => match state.who(to) {
                Some(enemy) => format!(
                    "{} attacks {} in {}: hits with {} or more, is hit by 1",
                    piece(moved),
                    piece(enemy),
                    GRID.name(to),
                    self.map.ground[usize::from(to)].needed()
                ),
                None => format!("{} to {}, {}", piece(moved), GRID.name(to), self.lie(to)),
            },
        }
    }

    /// A hex in a word or two.
    pub fn lie(&self, cell: Cell) -> &'static str {
        self.map.ground[usize::from(cell)].word()
    }

    /// What is asked.
    pub fn asked(&self, state: &State) -> Prompt {
        let side = SIDES[usize::from(state.side())];
        match state.fight {
            Some(fight) => {
                let text =
                    format!("The attack of {} on {}, one die", piece(fight.piece), GRID.name(fight.to));
                Prompt { waiting: text.clone(), text, rule: "3.2" }
            }
            None => Prompt {
                text: format!("{side}: move a piece that is ready"),
                waiting: format!("Waiting for the {side} to move a piece"),
                rule: "2.1",
            },
        }
    }
}

/// The turn in words.
pub fn turn(turn: u16) -> String {
    format!("Turn {turn}")
}

/// What happened, in words.
pub fn telling(notice: &Notice) -> Telling {
    let side = |side: u8| SIDES[usize::from(side)];
    let (text, rule) = match *notice {
        Notice::Turn(number) => (turn(number), ""),
        Notice::Moved(moved, from, to) => {
            (format!("{} moves from {} to {}.", piece(moved), GRID.name(from), GRID.name(to)), "2.2")
        }
        Notice::Held(by) => (format!("The {} moves nothing.", side(by)), "2.3"),
        Notice::Attacked(by, enemy, at) => {
            (format!("{} attacks {} in {}.", piece(by), piece(enemy), GRID.name(at)), "3.1")
        }
        Notice::Rolled(die, needed, Some(hit)) => {
            (format!("Rolled {die}, needed {needed} or more: {} is hit.", piece(hit)), "3.2")
        }
        Notice::Rolled(die, needed, None) => (format!("Rolled {die}, needed {needed} or more: miss."), "3.2"),
        Notice::Lost(lost) => (format!("{} is lost.", piece(lost)), "3.3"),
        Notice::Taken(by, town) => {
            (format!("The {} takes the town in {}.", side(by), GRID.name(town)), "1.4")
        }
        Notice::Returned(back, home) => {
            (format!("{} comes back in {}.", piece(back), GRID.name(home)), "3.4")
        }
    };
    Telling { text, rule, aside: false }
}
