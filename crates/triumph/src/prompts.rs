//! What is asked now: for the mover, for those who wait, and what Fate draws for. Section 19 of the rulebook.
//!
//! Those who wait read nothing that depends on what is hidden from them: what is picked and not yet placed or moved, for
//! example, changes only the text for the mover.

use kernel::Prompt;

use crate::cards::Deck;
use crate::choice::Choice;
use crate::factions::Faction;
use crate::fire::INDUSTRY;
use crate::labels_war::{dice_words, targets};
use crate::rules::Rules;
use crate::stage::{After, Leaving, Stage};
use crate::state::{Declared, State};
use crate::units::Class;
use crate::words::{a, capitalized, count};

/// Purposes of draws are for everybody.
fn fate(text: String, rule: &'static str) -> Prompt {
    Prompt { waiting: text.clone(), text, rule }
}

/// A question to a Faction, and what the others read.
fn ask(faction: Faction, text: &str, waiting: &str, rule: &'static str) -> Prompt {
    Prompt {
        text: format!("{faction}: {text}"),
        waiting: format!("Waiting for {} {waiting}", faction.the()),
        rule,
    }
}

impl Rules {
    /// The question to the mover, or the purpose of a draw.
    pub(crate) fn prompt(&self, state: &State) -> Prompt {
        let Some(faction) = self.decider(state) else { return self.draw_prompt(state) };
        match state.stage {
            Stage::SetUp(at) => self.set_up_prompt(faction, at),
            Stage::ActiveAlly => Prompt {
                text: "Allies: which Ally is Active this year?".to_owned(),
                waiting: "Waiting for the Allies to name the Active Ally".to_owned(),
                rule: "18.4",
            },
            Stage::Arrival(_) => {
                let (kind, cv) = Self::arriving(state);
                let text = format!("the US {} {cv} arrives: where?", kind.title());
                ask(faction, &text, "to place US units", "8.45")
            }
            Stage::Spend | Stage::Step | Stage::Build | Stage::BuildAt => self.spend_prompt(state, faction),
            Stage::Government => self.government_prompt(state, faction),
            Stage::FreePlay(left) => ask(
                faction,
                &format!("Diplomacy before 1939, {} left", count(left, "play")),
                "to play Diplomacy before 1939",
                "17.5",
            ),
            Stage::Pay(laid) => {
                let cost = self.factory_cost(state, faction);
                let text = format!("which card pays for the factory? {laid} of {cost} paid");
                ask(faction, &text, "to pay for a factory", "7.32")
            }
            Stage::DoubleAgent(card, player, ..) => {
                let text =
                    format!("{} of {} is played on you: Double Agent?", self.spy_title(card), player.the());
                ask(faction, &text, &format!("to answer {}", self.spy_title(card)), "9.5")
            }
            Stage::Turned(card, _, player) => {
                let text =
                    format!("{} is turned: what does it hit of {}?", self.spy_title(card), player.the());
                ask(faction, &text, &format!("to turn {} on its player", self.spy_title(card)), "9.5")
            }
            Stage::Mole(_, _, target) => {
                let found = Self::vault_words(state, target);
                let text = format!("the Mole finds {found} in the vault of {}: take one?", target.the());
                let waiting = format!("to look into the vault of {}", target.the());
                ask(faction, &text, &waiting, "9.5")
            }
            Stage::Muster(_) => self.muster_prompt(state, faction),
            Stage::Discard => {
                let limit = self.hand_limit(state, faction);
                let text = format!("discard {} more (HandSize {limit})", self.cards_over(state, faction));
                ask(faction, &text, "to discard down to its HandSize", "7.5")
            }
            Stage::Command => ask(
                faction,
                &format!("commit a card for {}, or pass", state.part.title()),
                &format!("to commit a card for {}", state.part.title()),
                "10.1",
            ),
            Stage::SecondCard => ask(
                faction,
                "a second card of the season makes it a full turn",
                "to decide about a second card",
                "18.6",
            ),
            Stage::Tie(_, tied) => {
                let names: Vec<&str> = tied.factions().map(Faction::title).collect();
                let text = format!("the letters are tied: in which order do {} move?", names.join(", "));
                ask(faction, &text, "to put the tied turns in order", "10.1")
            }
            Stage::Winter => ask(
                faction,
                "an Action card gives a Winter turn inside the USSR, or pass",
                "to decide about a Winter turn",
                "10.4",
            ),
            _ => self.war_prompt(state, faction),
        }
    }

    /// The choice of the Enter key: only where there is nothing else.
    pub(crate) fn default_choice(&self, state: &State) -> Option<Choice> {
        self.decider(state)?;
        let mut listed = Vec::new();
        self.list(state, &mut listed);
        match listed[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    fn set_up_prompt(&self, faction: Faction, at: u8) -> Prompt {
        let own = |(power, _): &(crate::factions::Power, u8)| power.faction() == faction;
        let all = self.cadres().filter(own).count();
        let done = self.cadres().take(usize::from(at) + 1).filter(own).count();
        let place = self.cadres().nth(usize::from(at)).map_or_else(String::new, |(power, area)| {
            format!("the type of {} Cadre in {}", a(power.adjective()), self.place_name(area))
        });
        ask(faction, &format!("{place} ({done} of {all})"), "to set up", "5.0")
    }

    /// All parts of spending a point look the same to the others.
    fn spend_prompt(&self, state: &State, faction: Faction) -> Prompt {
        let left = count(state.spending.points, "point");
        let early = self.before_short_game(state);
        let text = match state.stage {
            Stage::Step => format!("which unit takes the step? {left} left"),
            Stage::Build => format!("which unit is built? {left} left"),
            Stage::BuildAt => {
                let (power, kind) = Self::picked_type(state);
                format!("where is the {} {} built?", power.adjective(), kind.title())
            }
            _ if early => format!("growth before 1939, {left} of CV left"),
            _ => format!("Production, {left} of {} left", state.spending.level),
        };
        let waiting = if early {
            format!("to grow before 1939, {left} left")
        } else {
            format!("to spend {left} of Production")
        };
        ask(faction, &text, &waiting, if early { "17.2" } else { "7.22" })
    }

    fn government_prompt(&self, state: &State, faction: Faction) -> Prompt {
        let money = self.factory_money(state, faction);
        let cost = self.factory_cost(state, faction);
        let factory = match money {
            0 => String::new(),
            _ => format!("; Investment cards worth {money}, a factory costs {cost}"),
        };
        let passes = match state.passes {
            0 => String::new(),
            1 => " (1 pass so far)".to_owned(),
            passes => format!(" ({passes} passes in a row)"),
        };
        let text = format!("one play, or pass{passes}{factory}");
        ask(faction, &text, &format!("to make a Government play{passes}"), "7.3")
    }

    fn muster_prompt(&self, state: &State, faction: Faction) -> Prompt {
        let Some((_, area)) = self.next_muster(state) else {
            return ask(faction, "place a unit", "to place a unit", "8.2");
        };
        let nation = self.nation_name(self.atlas().nation_of(area));
        let cv = self.muster_cv(state, faction.great(), area);
        let text = format!(
            "{nation} joins: the type of a {} unit of {cv} CV in {}",
            faction.great().adjective(),
            self.place_name(area)
        );
        ask(faction, &text, &format!("to place a unit in {}", self.place_name(area)), "8.2")
    }

    /// Moves and Battles.
    fn war_prompt(&self, state: &State, faction: Faction) -> Prompt {
        let battle = |what: &str| format!("{}: {what}", self.battle_name(state.battle.area));
        match state.stage {
            Stage::Movement | Stage::Destination => self.movement_prompt(state, faction),
            Stage::WarCard(rival) => {
                let text = format!("war on {} costs one more card of the season: which?", rival.the());
                ask(faction, &text, &format!("to pay for the war on {}", rival.the()), "18.7")
            }
            Stage::Protectorate(nation, _) => {
                let name = self.nation_name(nation);
                let by = state.turn.faction.the();
                let text = format!("{by} violates {name}, your Protectorate: stand by it?");
                ask(faction, &text, &format!("to stand by {name} or give it up"), "8.13")
            }
            Stage::Fight(area) => {
                let text = format!("fight in {} this turn?", self.place_name(area));
                ask(faction, &text, &format!("to decide about a Battle in {}", self.place_name(area)), "12.1")
            }
            Stage::Select => ask(faction, "which Battle is next?", "to choose the next Battle", "12.1"),
            Stage::Against(area) => {
                let text = format!("whom do you fight in {}?", self.place_name(area));
                ask(faction, &text, &format!("to name its Enemies in {}", self.place_name(area)), "12.1")
            }
            Stage::Group => ask(
                faction,
                &battle("which BattleGroup joins?"),
                "to choose the BattleGroup that joins",
                "12.71",
            ),
            Stage::Vault(_) => {
                ask(faction, &battle("open the vault before the round?"), "to open a vault or not", "9.3")
            }
            Stage::Action(_) => {
                let kind = state.battle.kind.title();
                let text = battle(&format!("round {}, an action of {}", state.battle.round, article(kind)));
                ask(faction, &text, &format!("to act with {}", article(kind)), "12.21")
            }
            Stage::Hit(_) => {
                let class = Class::ALL[usize::from(state.battle.class) & 3];
                let text = battle(&format!("which of your strongest {} takes a hit?", targets(class)));
                ask(faction, &text, "to place a hit", "12.44")
            }
            Stage::AfterStrike => ask(
                faction,
                &battle("where does the Carrier go after its Strike?"),
                "to withdraw its Carrier",
                "12.74",
            ),
            Stage::Rebase => {
                let text = battle("who ReBases before the Battle is closed?");
                ask(faction, &text, "to ReBase units or not", "13.12")
            }
            Stage::Leave(_, why) => leave_prompt(faction, why),
            Stage::Escape(_) => {
                ask(faction, &battle("does a Submarine Escape?"), "to let Submarines Escape", "12.73")
            }
            _ => ask(faction, "your choice", "", ""),
        }
    }

    /// Picking a unit and moving it look the same to the others.
    fn movement_prompt(&self, state: &State, faction: Faction) -> Prompt {
        let left = count(state.turn.moves, "move");
        let kind = match (state.turn.emergency, state.turn.defensive) {
            (true, _) => "Emergency turn, ",
            (_, true) => "Defensive Turn, ",
            _ => "",
        };
        let (owed, rule) = match state.turn.declared {
            None => (String::new(), "11.0"),
            Some(Declared::War(rival)) => (format!("the next move must attack {}", rival.the()), "15.2"),
            Some(Declared::Violation(nation)) => {
                (format!("the next move must enter {}", self.nation_name(nation)), "15.4")
            }
            Some(Declared::Intervention(nation)) => {
                (format!("a Tank or Infantry must now enter {}", self.nation_name(nation)), "15.423")
            }
        };
        let behind = if owed.is_empty() { String::new() } else { format!("; {owed}") };
        let waiting = format!("to move ({kind}{left} left{behind})");
        let text = match state.stage {
            Stage::Destination => {
                let owed = if owed.is_empty() { owed } else { format!(" {}", capitalized(&owed)) };
                format!("where does {} go?{owed}", self.unit_there(state, state.picked))
            }
            _ => format!("{kind}{left} left{behind}"),
        };
        ask(faction, &text, &waiting, rule)
    }

    /// What Fate draws for.
    fn draw_prompt(&self, state: &State) -> Prompt {
        match state.stage {
            Stage::Draw(after) => self.card_prompt(state, after),
            Stage::Chit(faction, left) => {
                let more = if left > 1 { format!(" ({left} to draw)") } else { String::new() };
                fate(format!("Peace Dividend for {}{more}", faction.the()), "7.13")
            }
            Stage::TurnOrder => fate("Turn Order, one die".to_owned(), "7.14"),
            Stage::SetAside(faction, deck, left) => fate(
                format!(
                    "{} for the Passive Stack of {}",
                    count(left, &format!("{} card", deck.title())),
                    faction.the()
                ),
                "18.5",
            ),
            Stage::SpyDeck(by, from) => {
                fate(format!("Spy Ring of {}: from which deck of {}", by.the(), from.the()), "9.5")
            }
            Stage::SpyCard(by, from, deck) => {
                let text = format!("Spy Ring of {}: an {} card of {}", by.the(), deck.title(), from.the());
                fate(text, "9.5")
            }
            Stage::Dice => self.dice_prompt(state),
            _ => fate("The game is over".to_owned(), "16.0"),
        }
    }

    fn dice_prompt(&self, state: &State) -> Prompt {
        let (dice, needs) = self.shot(state);
        let name = self.block_name(state, usize::from(state.battle.firing));
        let (what, rule) = match () {
            () if state.battle.class == INDUSTRY => ("bombs industry".to_owned(), "12.62"),
            () if state.battle.striking => ("strikes naval units".to_owned(), "12.74"),
            () => {
                let class = Class::ALL[usize::from(state.battle.class) & 3];
                (format!("fires at {}", targets(class)), "12.4")
            }
        };
        let hits = if needs == 1 { "hits on 1".to_owned() } else { format!("hits on {needs} or less") };
        fate(format!("{name} {what}: {}, {hits}", dice_words(dice)), rule)
    }

    /// A card that is due: the how-manieth, and what for.
    fn card_prompt(&self, state: &State, after: After) -> Prompt {
        let Some((faction, deck)) = Self::next_due(state) else {
            return fate("A card".to_owned(), "7.24");
        };
        let at = deck as usize;
        let left = state.of(faction).due[at];
        let forces = &self.world.forces;
        let (why, rule, all) = match after {
            After::SetUp => ("the first hand of ", "5.0", forces.cards[faction.index()]),
            After::ShortStart => ("the first hand of ", "17.3", forces.short[faction.index()].cards[at]),
            After::Movement => ("", "15.41", self.reaction_due(state, faction, deck)),
            _ => ("", "7.24", state.spending.cards[at]),
        };
        let nth = (all + 1).saturating_sub(left).max(1);
        let what = format!("{} card {nth} of {} for {why}{}", deck.title(), all.max(left), faction.the());
        match after {
            After::Movement => fate(format!("World Reaction: {what}"), rule),
            _ => fate(what, rule),
        }
    }

    /// How many cards a Faction draws for the violation that was just declared.
    fn reaction_due(&self, state: &State, faction: Faction, deck: Deck) -> u8 {
        match (state.turn.declared, deck) {
            (Some(Declared::Violation(nation)), Deck::Action) => {
                self.reaction_share(state.turn.faction, faction, nation)
            }
            _ => 0,
        }
    }
}

fn leave_prompt(faction: Faction, why: Leaving) -> Prompt {
    match why {
        Leaving::Round => ask(
            faction,
            "units without Ground Support must leave",
            "to withdraw units without Ground Support",
            "12.52",
        ),
        Leaving::Sea => {
            ask(faction, "Air Forces must ReBase after the round", "to ReBase its Air Forces", "13.2")
        }
        Leaving::Combat => ask(
            faction,
            "units without Ground Support must leave",
            "to withdraw units after the Battles",
            "12.52",
        ),
        Leaving::Supply => ask(
            faction,
            "units without Ground Support must leave",
            "to withdraw units after the Supply Phase",
            "12.52",
        ),
        Leaving::Convoys => {
            ask(faction, "only Convoys are left: yours must leave", "to withdraw its Convoys", "12.7")
        }
    }
}

/// "a Tank", "an Air Force", "Infantry".
fn article(kind: &str) -> String {
    match kind {
        "Infantry" => kind.to_owned(),
        "Air Force" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}
