//! How many clicks a player turn takes at the board of D-Day to Berlin: the same orders under rules 1 and under rules 2
//! (ruling R61). Every click must be on a place that is drawn there.

use std::fmt::Write as _;

use boards::DDayBoard;
use dday::{Choice, DDay, Stage};
use kernel::{Discard, Game as _, Match, MatchDice, Mover, Options, Seat, Viewer, Wording as _};
use web::Part;
use web::chain::links;

use crate::dday::values;
use crate::drawing::scene;

/// The attacker, who gives the orders.
const US: Seat = Seat(0);

/// Two stacks before the enemy, three groups on the way, a gun, and corps artillery.
fn scenario() -> String {
    let mut text = String::from(
        "schema = 1\nid = \"clicks\"\nname = \"Clicks\"\ndate = \"1944\"\nseason = \"summer\"\nstart_hour = 6\nturns = 4\n\
         aggressor = \"US\"\nfirst_player = \"US\"\nadvanced_supply = false\nsummary = \"\"\nspecial = []\n\
         victory = { aggressor_win = 1, defender_win = 0, sudden = 0 }\n\
         objective = [{ zone = \"1004\", name = \"Town\", vp = 1, control = \"GE\" }]\n\
         supply = [{ zone = \"0101\", side = \"US\" }, { zone = \"1001\", side = \"GE\" }]\n",
    );
    for (id, name, art) in [("US", "United States", 1), ("GE", "Germany", 0)] {
        let _ = writeln!(
            text,
            "[[side]]\nid = \"{id}\"\nnation = \"{id}\"\nname = \"{name}\"\nart_support = {art}\nair_support = 0\n\
             air_from_turn = 1\nbreak = 50\n[[formation]]\nid = \"{}\"\nside = \"{id}\"\nname = \"{name}\"\nquality = \"regular\"",
            id.to_lowercase()
        );
    }
    for (id, kind, zone) in [
        ("us-hq", "hq", "0203"),
        ("us-gun", "art_field", "0302"),
        ("us-1", "inf_leg", "0402"),
        ("us-2", "inf_leg", "0402"),
        ("us-3", "inf_leg", "0402"),
        ("us-4", "inf_leg", "0404"),
        ("us-5", "inf_leg", "0404"),
        ("us-6", "inf_leg", "0403"),
        ("us-7", "inf_leg", "0206"),
        ("us-8", "inf_mech", "0107"),
        ("us-9", "inf_leg", "0208"),
        ("us-10", "inf_leg", "0208"),
        ("ge-hq", "hq", "1003"),
        ("ge-1", "inf_leg", "0502"),
        ("ge-2", "inf_leg", "0504"),
        ("ge-3", "inf_leg", "0601"),
        ("ge-4", "inf_leg", "0603"),
    ] {
        let facing = if id.starts_with("us") { "E" } else { "W" };
        let _ = writeln!(
            text,
            "[[unit]]\nid = \"{id}\"\nname = \"{id}\"\nformation = \"{}\"\ntype = \"{kind}\"\nat = \"{zone}\"\nfacing = \"{facing}\"",
            &id[..2]
        );
    }
    let row = format!("\"{}\",", ".".repeat(10));
    let _ = writeln!(text, "[map]\ncols = 10\nrows = 8\nterrain = [{}]", row.repeat(8));
    text
}

/// The die for each purpose: groups move, assaults hit, defenders break, guns miss.
const fn die(stage: Stage) -> u8 {
    match stage {
        Stage::DefenderSave | Stage::RangedDie => 9,
        _ => 3,
    }
}

/// The attacker at the board.
struct Player {
    battle: Match<DDay>,
    clicks: usize,
}

impl Player {
    fn under(rules: &str) -> Self {
        let mut options: Options = DDay::options_under(rules);
        options.insert("scenario".to_owned(), scenario());
        let game = DDay::with_options(&options).unwrap_or_else(|why| panic!("{why}"));
        let mut player = Self { battle: Match::new(game, MatchDice::Own), clicks: 0 };
        player.wait();
        player
    }

    /// Dice are rolled and the enemy answers, until the attacker is asked.
    fn wait(&mut self) {
        loop {
            self.battle.play_forced(&mut Discard);
            match self.battle.mover() {
                Mover::Fate => {
                    let face = Choice::Die(die(self.battle.state().stage));
                    self.battle.fate(Some(face), &mut Discard).expect("a die is due");
                }
                Mover::Seat(US) | Mover::Nobody => return,
                Mover::Seat(_) => {
                    let first = self.battle.choices()[0];
                    self.battle.play(first, &mut Discard).expect("a listed choice is open");
                }
            }
        }
    }

    /// The choice or chain of a place that is called so or ends so. A place with several choices takes a second click, in
    /// the menu.
    fn find(&mut self, name: &str) -> String {
        let drawn = scene::<DDayBoard>(&self.battle, Viewer::Seat(US)).0;
        let html: String = drawn.parts.iter().map(|Part(_, _, html)| html.as_str()).collect();
        let places: Vec<Vec<String>> = values(&html, "data-choice")
            .into_iter()
            .map(|place| place.replace("&gt;", ">").split('|').map(str::to_owned).collect())
            .collect();
        let fits = |choice: &&String| *choice == name || choice.ends_with(&format!("> {name}"));
        let found = places
            .iter()
            .filter_map(|place| Some((place.len() > 1, place.iter().find(fits)?.clone())))
            .min_by_key(|(several, choice)| (*several, choice.len()));
        let (several, chain) = found.unwrap_or_else(|| {
            panic!("{name} has no place on the board at {:?}: {places:?}", self.battle.state().stage)
        });
        self.clicks += if several { 2 } else { 1 };
        chain
    }

    /// Clicks there.
    fn click(&mut self, name: &str) {
        let chain = self.find(name);
        for (at, link) in links(&chain).enumerate() {
            if at > 0 {
                self.wait();
            }
            let choice = self.battle.game().read_name(self.battle.state(), link).expect("a name of the game");
            self.battle.play(choice, &mut Discard).unwrap_or_else(|why| panic!("{link} of {chain}: {why}"));
        }
        self.wait();
    }

    /// The zones of the attacker's battalions and what they have left, to see that the orders were the same.
    fn result(&self) -> Vec<(u16, u8, u16)> {
        let units = self.battle.state().units.iter();
        units.map(|unit| (unit.zone, unit.mp, unit.marks)).collect()
    }
}

#[test]
fn a_turn_takes_a_third_fewer_clicks_than_under_rules_1() {
    let mut before = Player::under("1");
    for click in [
        // Two stacks in contact are made ready.
        "activate us-1",
        "with all",
        "halt",
        "activate us-4",
        "with us-5",
        "halt",
        // Three groups march.
        "activate us-7",
        "step 0306",
        "halt",
        "activate us-8",
        "step 0307",
        "halt",
        "activate us-9",
        "with us-10",
        "step 0308",
        "halt",
        "end",
        // Two assaults and a bombardment.
        "assault 0402 0502",
        "lead us-1",
        "with us-2",
        "with us-3",
        "join us-6",
        "fire corps",
        "attack",
        "advance us-1",
        "halt",
        "assault 0404 0504",
        "lead us-4",
        "with us-5",
        "attack",
        "decline",
        "shell us-gun",
        "at ge-3",
    ] {
        before.click(click);
    }
    let mut after = Player::under("2");
    for click in [
        "ready us-1",
        "roll",
        "ready us-4",
        "roll",
        "activate us-7",
        "step 0306",
        "activate us-8",
        "step 0307",
        "with us-10",
        "step 0308",
        "end",
        "with all",
        "fire corps",
        "attack",
        "advance us-1",
        "halt",
        "with us-5",
        "attack",
        "decline",
        "at ge-3",
        "attack",
    ] {
        after.click(click);
    }
    assert_eq!(before.result(), after.result(), "the same orders were given");
    // The last click ends the phase; what the enemy does then is not counted.
    before.find("end");
    after.find("end");
    println!("clicks of the scripted turn: {} under rules 1, {} under rules 2", before.clicks, after.clicks);
    assert_eq!((before.clicks, after.clicks), (34, 22));
    assert!(after.clicks * 3 <= before.clicks * 2, "a third fewer");
}
