//! Labels, prompts and log lines.

use std::fmt::Write as _;

use kernel::{LogLine, Prompt};

use crate::choice::Choice;
use crate::game_event::{GameEvent, Reason};
use crate::layout::{Effect, bits};
use crate::rules::{Closing, Preview, Rules};
use crate::state::{Phase, Stage, State, Verdict};
use crate::units::{Kind, Side};

/// `1 space`, `2 spaces`.
fn count(n: impl Into<i32>, what: &str) -> String {
    let n = n.into();
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

impl Rules {
    /// A space for people, in the notation of rule 1.4: "EE.2.3 (Eastern Europe)".
    pub fn space_title(&self, space: u8) -> String {
        let place = self.space(space);
        format!("{} ({})", place.name, self.theatre(place.theatre).name)
    }

    /// An effect with its number: "Tactical advantage 2".
    pub fn effect_words(effect: Effect, n: u8) -> String {
        match effect {
            Effect::Tactical | Effect::Strategic | Effect::Propaganda => format!("{} {n}", effect.name()),
            other => other.name().to_owned(),
        }
    }

    /// What a placement would do, in a line.
    pub fn preview_words(&self, side: Side, preview: &Preview) -> String {
        let mut words = String::new();
        match preview.effect {
            Effect::None => {}
            effect => {
                let _ = write!(words, "{}; ", Self::effect_words(effect, preview.n));
            }
        }
        let _ = write!(
            words,
            "strength {}: {} → {}",
            preview.strength,
            self.marker_words(preview.from),
            self.marker_words(preview.to)
        );
        match preview.closing {
            Closing::Track => words.push_str("; takes the theatre"),
            Closing::Filled => words.push_str("; closes the theatre"),
            Closing::No if preview.closes_campaign => words.push_str("; closes the campaign"),
            Closing::No => {}
        }
        for of in [side, side.enemy()] {
            let vp = preview.vp[of.index()];
            if vp > 0 {
                let _ = write!(words, "; {} +{vp} VP", self.side_name(of));
            }
        }
        words
    }

    /// A choice in words.
    pub fn label(&self, state: &State, choice: Choice) -> String {
        match choice {
            Choice::Place { kind, space } => {
                let title = self.space_title(space);
                match self.played(state, state.side, kind) {
                    None => format!("{kind} → {title}"),
                    Some(unit) => {
                        let preview = self.preview(state, state.side, unit, space);
                        let copied =
                            if kind == Kind::Spy { format!(" as {}", unit.kind) } else { String::new() };
                        let words = self.preview_words(state.side, &preview);
                        format!("{kind}{copied} → {title}: {words}")
                    }
                }
            }
            Choice::Stop => "No more units: continue with the draw".to_owned(),
            Choice::Stuck => "No unit can be placed: the game is lost".to_owned(),
            Choice::Strategic(theatre) => {
                let side = state.side;
                let most = self.theatre(theatre).track_end - 1;
                let from = state.track(theatre);
                let to = (from + side.sign() * state.placing.left as i8).clamp(-most, most);
                let (from, to) = (self.marker_words(from), self.marker_words(to));
                format!("Advance in {}: {from} → {to}", self.theatre(theatre).name)
            }
            Choice::Bomb(kind) => format!("Bomb the {kind}: {}", self.bombed_goes(kind)),
            Choice::BombAt(place) => {
                let row = state.hands[state.side.enemy().index()].as_slice();
                let number = u32::from(place) + 1;
                match row.get(usize::from(place)) {
                    Some(&kind) => {
                        format!("Bomb the {kind}, number {number} of the row: {}", self.bombed_goes(kind))
                    }
                    None => format!("Bomb number {number} of the row"),
                }
            }
            Choice::Open(theatre) => {
                let city = self.theatre(theatre);
                let vp = city.campaigns.first().map_or(0, |campaign| campaign.vp);
                let marker = self.marker_words(self.opening_marker(state, theatre));
                format!("Open {}: {vp} VP, marker {marker}", city.name)
            }
            Choice::Theatre(theatre) => {
                let by = self.solo().map_or(0, |solo| solo.difficulty.rolls().1);
                format!("{}: {} for the bot", self.theatre(theatre).name, count(by, "space"))
            }
            Choice::Die(face) => format!("The die shows {face}"),
            Choice::Draw(kind) => format!("Draw {kind} from the bag"),
            Choice::Research(kind) => format!("Draw {kind} from the research pile"),
            Choice::Hit(kind) => format!("{kind} goes back"),
            Choice::Stratagem(stratagem) => format!("{}: {}", stratagem.name(), stratagem.about()),
            Choice::City(theatre) => format!("Draw {}", self.theatre(theatre).name),
        }
    }

    /// Where a bombed unit of the bot goes. Ruling R9.
    fn bombed_goes(&self, kind: Kind) -> &'static str {
        let to_pile = kind.is_special() || self.solo().is_some_and(|solo| solo.bombed_to_pile);
        if to_pile { "to the research pile" } else { "back to the bot's cup" }
    }

    /// What is asked now.
    pub fn prompt(&self, state: &State) -> Prompt {
        let name = self.side_name(state.side);
        let seated = |text: String, waiting: String, rule| Prompt { text, waiting, rule };
        let fate = |text: String, rule| Prompt { waiting: text.clone(), text, rule };
        match state.phase {
            Phase::Deal => fate(format!("{name}: a token for the first reserve"), "2.4"),
            Phase::Difficulty => fate("A theatre for the bot, one die".to_owned(), "8.3"),
            Phase::NameTheatre => {
                let by = self.solo().map_or(0, |solo| solo.difficulty.rolls().1);
                let text = format!("A 6: choose the theatre in which the bot gains {}", count(by, "space"));
                seated(text, "Waiting for a theatre to be chosen for the bot".to_owned(), "8.3")
            }
            Phase::StartCity => fate("A city in which the bot starts ahead".to_owned(), "10.7"),
            Phase::Stratagem => fate(format!("{name}: a stratagem from the cup"), "8.4"),
            Phase::UnitDie => fate(format!("{name}: a die picks the unit"), "9.4"),
            Phase::Place => seated(
                format!("{name}: place a unit"),
                format!("Waiting for {} to place a unit", self.with_article(state.side)),
                "3.2",
            ),
            Phase::Blitz => {
                let theatre = &self.theatre(self.space(state.placing.space).theatre).name;
                seated(
                    format!("{name}: blitz! One more unit in {theatre}, or stop"),
                    format!("Waiting for {}: one more unit in {theatre}?", self.with_article(state.side)),
                    "3.3",
                )
            }
            Phase::Draw if state.stage == Stage::TurnDraw => {
                fate(format!("{name}: a token at the end of the turn"), "3.4")
            }
            Phase::Draw => fate(format!("{name}: a token from industrial production"), "6"),
            Phase::Research => fate(format!("{name}: a special weapon"), "6"),
            Phase::Hit => {
                fate(format!("{}: which token is bombed", self.side_name(state.side.enemy())), "6.3")
            }
            Phase::BombRow => seated(
                format!("{name}: bomb a unit of the bot's row"),
                format!("Waiting for {} to bomb", self.with_article(state.side)),
                "8.7",
            ),
            Phase::Strategic => {
                let n = count(state.placing.left, "space");
                seated(
                    format!("{name}: strategic advantage, {n} in another theatre"),
                    format!("Waiting for {} to use a strategic advantage", self.with_article(state.side)),
                    "6",
                )
            }
            Phase::Open => {
                let opener = self.opener(state);
                seated(
                    format!("{}: open the next city", self.side_name(opener)),
                    format!("Waiting for {} to open a city", self.with_article(opener)),
                    "10.4",
                )
            }
            Phase::Over => fate("The game is over".to_owned(), "7"),
        }
    }

    /// "the Axis", "Japan".
    pub fn with_article(&self, side: Side) -> String {
        match self.side_name(side) {
            "Japan" => "Japan".to_owned(),
            name => format!("the {name}"),
        }
    }

    /// The title of a result.
    pub fn verdict_title(&self, verdict: Verdict) -> String {
        let winner = self.with_article(verdict.winner());
        let loser = self.with_article(verdict.winner().enemy());
        match verdict {
            Verdict::FirstPoints | Verdict::SecondPoints => format!("Victory for {winner} on points"),
            Verdict::SecondTie => {
                format!("Victory for {winner}: equal points go to the side that moves last")
            }
            Verdict::FirstStuck | Verdict::SecondStuck => {
                format!("Victory for {winner}: no unit of {loser} can be placed")
            }
        }
    }

    pub(crate) fn moved(&self, theatre: u8, from: i8, to: i8) -> String {
        format!("{}: {} → {}", self.theatre(theatre).name, self.marker_words(from), self.marker_words(to))
    }

    fn names(&self, theatres: u16) -> String {
        let names: Vec<&str> =
            bits(u64::from(theatres)).map(|theatre| self.theatre(theatre).name.as_str()).collect();
        names.join(", ")
    }

    /// Why candidates became fewer.
    fn reason(reason: Reason) -> (String, &'static str) {
        let (words, rule) = match reason {
            Reason::Legal => ("legal", "9.2"),
            Reason::SameTheatre => ("the same theatre after a blitz keeps", "8.5"),
            Reason::ClosesTheatre => ("closing and winning the theatre keeps", "9.2"),
            Reason::ClosesCampaign => ("closing and winning a campaign keeps", "9.2"),
            Reason::Stratagem(stratagem) => return (format!("{} keeps", stratagem.name()), "9.6"),
            Reason::MostEmpty => ("most empty spaces keeps", "9.2"),
            Reason::MostPoints => ("most VP keeps", "9.2"),
            Reason::TopLeft => ("top, then left keeps", "9.2"),
            Reason::Priority(effect) => return (format!("priority for {effect} keeps"), "9.3"),
            Reason::Leftmost => ("leftmost keeps", "9.3"),
            Reason::NotZero => ("no effect here, so not strength 0 keeps", "9.4"),
            Reason::NotBlitz => ("last space, so no blitz keeps", "9.4"),
            Reason::Strongest => ("20 VP, so the strongest keeps", "9.4"),
        };
        (words.to_owned(), rule)
    }

    /// A link of the chain of reasons: of what, under which rule it was looked at, why fewer, and what is left.
    fn chain(what: &str, rule: &'static str, reason: Reason, kept: &str) -> (String, &'static str) {
        match reason {
            Reason::Legal => (format!("{what}: {kept}"), rule),
            _ => {
                let (why, rule) = Self::reason(reason);
                (format!("{what}: {why} {kept}"), rule)
            }
        }
    }

    /// An event as text.
    pub fn log_line(&self, event: &GameEvent) -> LogLine {
        let aside = matches!(
            event,
            GameEvent::BotTheatres { .. }
                | GameEvent::BotSpaces { .. }
                | GameEvent::BotUnits { .. }
                | GameEvent::BotTarget { .. }
        );
        let (text, rule) = self.words(event);
        LogLine { text, rule, aside }
    }

    fn words(&self, event: &GameEvent) -> (String, &'static str) {
        let name = |side: Side| self.side_name(side);
        let title = |theatre: u8| self.theatre(theatre).name.as_str();
        match event {
            GameEvent::Drew { side, kind: Some(kind) } => {
                (format!("Drawn by {}: {kind}", self.with_article(*side)), "3.4")
            }
            GameEvent::Drew { side, kind: None } => {
                (format!("A token is drawn by {}", self.with_article(*side)), "3.4")
            }
            GameEvent::DifficultyRolled { face: 6 } => {
                ("6: the player chooses the theatre".to_owned(), "8.3")
            }
            GameEvent::DifficultyRolled { face } => (format!("Rolled {face} for the theatre"), "8.3"),
            GameEvent::BotAdvanced { theatre, by } => {
                (format!("{}: {} for the bot", title(*theatre), count(*by, "space")), "8.3")
            }
            GameEvent::BotPoints { vp } => (format!("The bot starts with {vp} VP"), "8.3"),
            GameEvent::TurnBegan { turn, .. } => (self.turn_title(*turn), "3"),
            GameEvent::Placed { kind, played_as, space, strength, .. } => {
                let copied = if kind == played_as { String::new() } else { format!(" as {played_as}") };
                let rule = if kind == played_as { "3.5" } else { "5.7" };
                (format!("{kind}{copied} on {}, strength {strength}", self.space_title(*space)), rule)
            }
            GameEvent::NoEffect { kind } => (format!("{kind}: the space has no effect"), "5.5"),
            GameEvent::Propaganda { side, vp } => (format!("Propaganda: {} +{vp} VP", name(*side)), "6"),
            GameEvent::Tactical { theatre, from, to } => {
                (format!("Tactical advantage, {}", self.moved(*theatre, *from, *to)), "6")
            }
            GameEvent::Strategic { theatre, from, to, .. } => {
                (format!("Strategic advantage, {}", self.moved(*theatre, *from, *to)), "6")
            }
            GameEvent::Nothing { effect } => {
                let why = match effect {
                    Effect::Bombing => "the opponent's reserve is empty",
                    Effect::Strategic => "no other theatre is open",
                    Effect::Research | Effect::ImprovedResearch | Effect::ResearchIndustry => {
                        "the research pile is empty"
                    }
                    _ => "the bag is empty",
                };
                (format!("{}: {why}", effect.name()), "6.2")
            }
            GameEvent::Researched { side, kind, to_hand } => {
                let what = kind.map_or("a special weapon", Kind::name);
                let to = if *to_hand { "reserve" } else { "bag" };
                (format!("Research: {what} goes into the {to} of {}", self.with_article(*side)), "6")
            }
            GameEvent::Bombed { victim, kind, to_pile } => {
                let what = kind.map_or("a token", Kind::name);
                let to = if *to_pile { "to the research pile" } else { "back to the bag" };
                (format!("Bombing: {what} of {} goes {to}", self.with_article(*victim)), "6.3")
            }
            GameEvent::Marker { theatre, from, to } => (self.moved(*theatre, *from, *to), "3.5"),
            GameEvent::Backfire { theatre, from, to } => {
                (format!("Backfire, {}", self.moved(*theatre, *from, *to)), "5.6")
            }
            GameEvent::CampaignClosed { theatre, campaign, vp, .. } => {
                let label = &self.theatre(*theatre).campaigns[usize::from(*campaign)].label;
                let gains: Vec<String> = Side::ALL
                    .into_iter()
                    .filter(|side| vp[side.index()] > 0)
                    .map(|side| format!("{} +{} VP", name(side), vp[side.index()]))
                    .collect();
                (format!("{label} closes: {}", gains.join(", ")), "3.6")
            }
            GameEvent::TheatreTaken { side, theatre } => {
                let who = self.with_article(*side);
                (format!("End of the track: {} falls to {who}", title(*theatre)), "3.7")
            }
            GameEvent::Collects { space } => {
                let place = self.space(*space);
                let what = Self::effect_words(place.effect, place.n);
                (format!("From {}: {what}", self.space_title(*space)), "3.7")
            }
            GameEvent::CollectedCampaign { theatre, campaign, vp } => {
                let label = &self.theatre(*theatre).campaigns[usize::from(*campaign)].label;
                (format!("{label}: +{vp} VP"), "3.7")
            }
            GameEvent::TheatreClosed { theatre, taken: true } => {
                (format!("{} is closed: +2 VP", title(*theatre)), "3.7")
            }
            GameEvent::TheatreClosed { theatre, taken: false } => {
                (format!("{} is closed", title(*theatre)), "3.5")
            }
            GameEvent::CityOpened { theatre, marker } => {
                (format!("{} opens: {}", title(*theatre), self.marker_words(*marker)), "10.4")
            }
            GameEvent::StratagemDrawn { drawn, in_force } => {
                let repeated = in_force.filter(|in_force| in_force != drawn);
                let repeats = repeated.map_or_else(String::new, |now| format!(", repeating {}", now.name()));
                (format!("Stratagem: {}{repeats}", drawn.name()), "8.4")
            }
            GameEvent::BotTheatres { reason, kept } => {
                Self::chain("Theatres", "9.2", *reason, &self.names(*kept))
            }
            GameEvent::BotSpaces { reason, kept } => {
                let spaces: Vec<String> = bits(*kept)
                    .map(|space| {
                        let place = self.space(space);
                        format!("{} {}", place.name, Self::effect_words(place.effect, place.n).to_lowercase())
                    })
                    .collect();
                Self::chain("Spaces", "9.3", *reason, &spaces.join(", "))
            }
            GameEvent::BotUnits { reason, kept } => {
                let units: Vec<&str> = kept.iter().map(|kind| kind.name()).collect();
                Self::chain("Units", "9.4", *reason, &units.join(", "))
            }
            GameEvent::BotDie { face, kind } => (format!("Die {face} → {kind}"), "9.4"),
            GameEvent::BotTarget { theatre, class } => {
                (format!("Greatest change: {}, class {class}", title(*theatre)), "9.5")
            }
            GameEvent::BotCannotFollow => ("Blitz: no unit in the row fits anywhere".to_owned(), "8.5"),
            GameEvent::Ended { verdict, vp } => {
                (format!("{}, {} : {}", self.verdict_title(*verdict), vp[0], vp[1]), "7")
            }
        }
    }

    /// The turn in words: sides take turns, so its number says whose it is.
    pub fn turn_title(&self, turn: u16) -> String {
        match turn {
            0 => "Set-up".to_owned(),
            odd if odd % 2 == 1 => format!("Turn {odd}: {}", self.side_name(Side::First)),
            even => format!("Turn {even}: {}", self.side_name(Side::Second)),
        }
    }
}
