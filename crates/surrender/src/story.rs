//! What happened in war, in sentences: one line of the log for every event, with its rule. Politics and the seasons of a
//! turn stand in `story_politics`.

use kernel::LogLine;

use crate::game_event::{GameEvent, Loss};
use crate::ids::{Place, UnitId};
use crate::rules::Rules;
use crate::standing::Reaction;
use crate::state::{Errand, Manner, Occasion};
use crate::words::{and_list, capitalized, count, result_words, the_side};

impl Rules {
    /// An event as a line of the log.
    pub(crate) fn log_line(&self, event: &GameEvent) -> LogLine {
        let (text, rule) = self.war_words(event);
        LogLine { text, rule, aside: is_aside(event) }
    }

    /// Movement and ground combat.
    fn war_words(&self, event: &GameEvent) -> (String, &'static str) {
        let title = |unit: UnitId| self.unit_title(unit);
        let place = |place: Place| self.place_words(place);
        match *event {
            GameEvent::Activated(unit, points, payer) => {
                let own = self.world.unit(unit).country == payer;
                let by = if own { String::new() } else { format!(" of {}", self.country_name(payer)) };
                let verb = self.verb(unit, "is", "are");
                (format!("{} {verb} activated for {}{by}", title(unit), count(points, "point")), "6.1")
            }
            GameEvent::Stepped(unit, _, to) => {
                (format!("{} to {}", self.unit_does(unit, "moves", "move"), place(to)), "4.2")
            }
            GameEvent::Stopped(unit) => {
                (format!("The activation of {} is over", self.unit_name(unit)), "6.2")
            }
            GameEvent::Attack(manner, primary, more, defender, hex) => {
                (self.attack_words(manner, primary, more, defender, hex), attack_rule(manner))
            }
            GameEvent::Shown(side, will) => {
                let what = if will { "Will Commit" } else { "Will Not Commit" };
                (
                    format!("{} {}: {what}", capitalized(the_side(side)), side_verb(side, "shows", "show")),
                    "5.1",
                )
            }
            GameEvent::StandsBy(faction, reaction) => {
                let what = match reaction {
                    Reaction::Intercept => "nothing more this month",
                    Reaction::Commit => "nothing more to defences this month",
                };
                let (one, many) = match reaction {
                    Reaction::Intercept => ("intercepts", "intercept"),
                    Reaction::Commit => ("commits", "commit"),
                };
                let side = faction.side();
                (format!("{} {} {what}", capitalized(the_side(side)), side_verb(side, one, many)), "R134")
            }
            GameEvent::AirCommitted(unit) => {
                (format!("{} committed to the combat", self.unit_does(unit, "is", "are")), "5.1")
            }
            GameEvent::Played(side, marker) => {
                let verb = side_verb(side, "uses", "use");
                (format!("{} {verb} {}", capitalized(the_side(side)), self.marker_name(marker)), "14.0")
            }
            GameEvent::Fought(attacker, defender, hex, ref one, ref other, result) => {
                let text = format!(
                    "{} against {} {}: {}; defender: {}. {}",
                    title(attacker),
                    self.unit_name(defender),
                    self.at_place(hex),
                    self.sum_words(one),
                    self.sum_words(other),
                    capitalized(result_words(result))
                );
                (text, "5.3")
            }
            GameEvent::Retreated(unit, _, to) => {
                (format!("{} to {}", self.unit_does(unit, "retreats", "retreat"), place(to)), "5.3")
            }
            GameEvent::HeldOut(unit) => {
                (format!("{} where it is: it cannot retreat", self.unit_does(unit, "stays", "stay")), "5.3")
            }
            GameEvent::Reduced(unit) => (format!("{} reduced", self.unit_does(unit, "is", "are")), "5.3"),
            GameEvent::Sorties(unit, added, now) => {
                let verb = self.verb(unit, "adds", "add");
                (
                    format!(
                        "{} {verb} {} and now {} {now}",
                        title(unit),
                        count(added, "Sortie"),
                        self.verb(unit, "has", "have")
                    ),
                    "5.2",
                )
            }
            GameEvent::Lost(unit, why) => self.lost_words(unit, why),
            GameEvent::Evacuated(unit) => {
                (format!("{} taken off by sea", self.unit_does(unit, "is", "are")), "14.0")
            }
            GameEvent::Advanced(unit, hex) => {
                (format!("{} to {}", self.unit_does(unit, "advances", "advance"), place(hex)), "5.3")
            }
            GameEvent::NoEzoc(hex) => {
                (format!("No EZOC {} until the end of the sub-phase", self.at_place(hex)), "3.4")
            }
            GameEvent::Captured(hex, from, to) => {
                let verb = side_verb(to, "takes", "take");
                let from = match from {
                    crate::ids::Side::Nobody => String::new(),
                    from => format!(" from {}", the_side(from)),
                };
                (format!("{} {verb} {}{from}", capitalized(the_side(to)), place(hex)), "1.3")
            }
            GameEvent::Displaced(unit, from, to) => (
                format!(
                    "{} from {} to {}",
                    self.unit_does(unit, "escapes", "escape"),
                    place(from),
                    place(to)
                ),
                "3.3",
            ),
            GameEvent::Relocated(unit, from, to) => {
                let verb = self.verb(unit, "leaves", "leave");
                (format!("{} {verb} {} for {}", title(unit), place(from), place(to)), "30.3")
            }
            GameEvent::Railed(unit, from, to) => {
                let way = if self.kind(unit).is_air() { "flies" } else { "moves by rail" };
                let ways = if self.kind(unit).is_air() { "fly" } else { "move by rail" };
                (format!("{} from {} to {}", self.unit_does(unit, way, ways), place(from), place(to)), "4.8")
            }
            _ => self.mission_words(event),
        }
    }

    fn attack_words(
        &self,
        manner: Manner,
        primary: UnitId,
        more: [UnitId; 2],
        defender: UnitId,
        hex: Place,
    ) -> String {
        let with: Vec<String> =
            more.into_iter().filter_map(UnitId::some).map(|unit| self.unit_name(unit)).collect();
        let with = if with.is_empty() { String::new() } else { format!(" with {}", and_list(&with)) };
        let verb = match manner {
            Manner::Mobile => self.verb(primary, "attacks", "attack"),
            Manner::Assault => self.verb(primary, "assaults", "assault"),
            Manner::Landing => self.verb(primary, "lands against", "land against"),
        };
        format!(
            "{} {verb} {} {}{with}",
            self.unit_title(primary),
            self.unit_name(defender),
            self.at_place(hex)
        )
    }

    fn lost_words(&self, unit: UnitId, why: Loss) -> (String, &'static str) {
        let (how, rule) = match why {
            Loss::Defending => ("eliminated", "5.3"),
            Loss::Attacking => ("eliminated in its attack", "5.3"),
            Loss::Supply => ("lost for want of supply", "7.6"),
            Loss::Sorties => ("worn out: more than 6 Sorties", "3.1"),
            Loss::Displaced => ("lost: it has nowhere to go", "3.3"),
            Loss::Country => ("gone with its country", "13.3"),
        };
        (format!("{} {how}", self.unit_does(unit, "is", "are")), rule)
    }

    /// Ships, aircraft, landings.
    fn mission_words(&self, event: &GameEvent) -> (String, &'static str) {
        let place = |place: Place| self.place_words(place);
        match *event {
            GameEvent::Dueled(occasion, attacker, defender, ref one, ref other, result) => {
                let (what, rule) = match occasion {
                    Occasion::AirSupport => (" in the air", "5.2"),
                    Occasion::Strike => (" in an Air Strike", "6.6"),
                    Occasion::Escort => (", the escort", "6.9"),
                    Occasion::Interdiction => (" under way", "6.9"),
                };
                let text = format!(
                    "{} against {}{what}: {}; defender: {}. {}",
                    self.unit_title(attacker),
                    self.unit_name(defender),
                    self.sum_words(one),
                    self.sum_words(other),
                    capitalized(duel_words(result))
                );
                (text, rule)
            }
            GameEvent::Rebased(unit, _, to) => {
                (format!("{} to {}", self.unit_does(unit, "rebases", "rebase"), place(to)), "4.5")
            }
            GameEvent::SetOut(errand, unit, passenger, to) => self.set_out_words(errand, unit, passenger, to),
            GameEvent::Escorted(unit) => {
                (format!("{} as escort", self.unit_does(unit, "sets out", "set out")), "6.9")
            }
            GameEvent::Intercepted(unit, node) => {
                let at = match node {
                    crate::ids::Node::NONE => String::new(),
                    node => format!(" in {}", self.node_words(node)),
                };
                (format!("{}{at}", self.unit_does(unit, "intercepts", "intercept")), "6.9")
            }
            GameEvent::Interdicted(errand, unit) => {
                let errand = errand_title(errand);
                (format!("{errand} of {} is interdicted", self.unit_name(unit)), "5.2")
            }
            GameEvent::CalledOff(unit) => {
                (format!("The invasion by {} is called off", self.unit_name(unit)), "5.2")
            }
            GameEvent::Arrived(unit, to) => {
                (format!("{} in {}", self.unit_does(unit, "arrives", "arrive"), place(to)), "4.6")
            }
            GameEvent::Landed(unit, hex) => {
                (format!("{} {}", self.unit_does(unit, "lands", "land"), self.at_place(hex)), "6.4")
            }
            GameEvent::Bombed(unit, city) => {
                (format!("{} {}", self.unit_does(unit, "bombs", "bomb"), self.city_name(city)), "6.7")
            }
            GameEvent::Mulberry(hex) => (format!("A Mulberry is built {}", self.at_place(hex)), "14.0"),
            GameEvent::Partisans(_, hex, true) => (format!("Partisans rise {}", self.at_place(hex)), "14.0"),
            GameEvent::Partisans(_, hex, false) => {
                (format!("The Partisans {} are gone", self.at_place(hex)), "14.0")
            }
            GameEvent::Wall(hex, true) => {
                (format!("An Atlantic Wall fort is built {}", self.at_place(hex)), "14.0")
            }
            GameEvent::Wall(hex, false) => {
                (format!("The Atlantic Wall fort {} is gone", self.at_place(hex)), "14.0")
            }
            GameEvent::Linked(convoy, far, home) => {
                let verb = self.verb(convoy, "links", "link");
                (format!("{} {verb} {} with {}", self.unit_title(convoy), place(far), place(home)), "7.4")
            }
            GameEvent::Supplied(unit, from, to) => {
                let verb = self.verb(unit, "has", "have");
                (
                    format!("{} {verb} {} Supply (was {})", self.unit_title(unit), to.title(), from.title()),
                    "7.5",
                )
            }
            _ => self.politics_words(event),
        }
    }

    fn set_out_words(
        &self,
        errand: Errand,
        unit: UnitId,
        passenger: UnitId,
        to: Place,
    ) -> (String, &'static str) {
        let goal = self.place_words(to);
        let aboard = self.unit_name(passenger);
        match errand {
            Errand::Transport => {
                (format!("{} {aboard} to {goal}", self.unit_does(unit, "carries", "carry")), "4.7")
            }
            Errand::Invasion => (
                format!(
                    "{} {aboard} for a landing {}",
                    self.unit_does(unit, "carries", "carry"),
                    self.at_place(to)
                ),
                "6.4",
            ),
            Errand::Bombing => (
                format!("{} for a Bombing Run on {goal}", self.unit_does(unit, "sets out", "set out")),
                "6.7",
            ),
            Errand::Airdrop => (
                format!(
                    "{} {aboard} for a drop {}",
                    self.unit_does(unit, "carries", "carry"),
                    self.at_place(to)
                ),
                "6.8",
            ),
            Errand::Link => {
                (format!("{} to supply {goal}", self.unit_does(unit, "sets out", "set out")), "7.4")
            }
            Errand::Sail | Errand::None => {
                (format!("{} for {goal}", self.unit_does(unit, "sails", "sail")), "4.6")
            }
        }
    }
}

/// A verb after a side: the Axis is one, the others are many.
pub(crate) const fn side_verb(side: crate::ids::Side, one: &'static str, many: &'static str) -> &'static str {
    match side {
        crate::ids::Side::Axis | crate::ids::Side::Nobody => one,
        _ => many,
    }
}

const fn attack_rule(manner: Manner) -> &'static str {
    match manner {
        Manner::Mobile => "4.4",
        Manner::Assault => "6.3",
        Manner::Landing => "6.4",
    }
}

/// What came of an air or naval combat (5.2), as a sentence.
const fn duel_words(result: crate::tables::CombatResult) -> &'static str {
    use crate::tables::CombatResult as R;
    match result {
        R::AttackerAttrition => "the attacker is badly hit (AA)",
        R::AttackerStopped => "the attacker is beaten off (AS)",
        R::NoEffect => "no decision",
        R::DefenderRetreats => "the defender is hit (DR)",
        R::DefenderDisrupted => "the defender is badly hit (DD)",
        R::DefenderEliminated => "the defender is smashed (DE)",
    }
}

/// "The Bombing Run".
const fn errand_title(errand: Errand) -> &'static str {
    match errand {
        Errand::None => "The mission",
        Errand::Sail => "The naval move",
        Errand::Transport => "The Naval Transport",
        Errand::Invasion => "The Amphibious Invasion",
        Errand::Bombing => "The Bombing Run",
        Errand::Airdrop => "The Airdrop",
        Errand::Link => "The sea link",
    }
}

/// Details that explain the lines around them. Every event stands here, so that a new one is not forgotten.
const fn is_aside(event: &GameEvent) -> bool {
    use GameEvent as E;
    match event {
        E::Activated(..)
        | E::Stepped(..)
        | E::Stopped(_)
        | E::Shown(..)
        | E::AirCommitted(_)
        | E::Sorties(..)
        | E::NoEzoc(_)
        | E::Pooled(_)
        | E::Escorted(_)
        | E::Supplied(..)
        | E::InfluenceDie(..)
        | E::Entry(_, _, false) => true,
        E::Turn(_)
        | E::Weather(..)
        | E::Income(..)
        | E::Attack(..)
        | E::Played(..)
        | E::Fought(..)
        | E::Dueled(..)
        | E::Strategic(..)
        | E::Retreated(..)
        | E::HeldOut(_)
        | E::Reduced(_)
        | E::Lost(..)
        | E::Evacuated(_)
        | E::Advanced(..)
        | E::Captured(..)
        | E::Will(..)
        | E::Displaced(..)
        | E::Relocated(..)
        | E::Placed(..)
        | E::Upgraded(..)
        | E::Railed(..)
        | E::Rebased(..)
        | E::SetOut(..)
        | E::StandsBy(..)
        | E::Intercepted(..)
        | E::Interdicted(..)
        | E::CalledOff(_)
        | E::Arrived(..)
        | E::Landed(..)
        | E::Bombed(..)
        | E::Partisans(..)
        | E::Mulberry(_)
        | E::Wall(..)
        | E::Linked(..)
        | E::Replaced(..)
        | E::Mobilized(..)
        | E::Ordered(..)
        | E::FactoryMoved(_)
        | E::LendLease(..)
        | E::PactEvaluated(..)
        | E::PactEnded
        | E::Declared(..)
        | E::Peace(_)
        | E::Influence(..)
        | E::ProMarker(..)
        | E::Drew(..)
        | E::PutIn(..)
        | E::Coup(..)
        | E::Joined(..)
        | E::Left(_)
        | E::Absorbed(..)
        | E::Crisis(_)
        | E::Conquered(..)
        | E::Liberated(..)
        | E::CededArea(_)
        | E::FrenchArea(..)
        | E::FrenchFleet(..)
        | E::Occurred(_)
        | E::Entry(_, _, true)
        | E::LowCountries
        | E::Verdict(_) => false,
    }
}
