//! Stable names of choices: `activate GER-6A`, `step 3120`. A name says everything about a choice, so names need no position
//! and no two choices share one.

use std::fmt::Write as _;

use crate::choice::Choice;
use crate::ids::{City, Country, Place, UnitId};
use crate::markers::Marker;
use crate::rules::Rules;
use crate::tables::Diplomat;

/// Lend-Lease by its number: to nobody, the UK, the USSR, both.
const LEND_LEASE: [&str; 4] = ["nobody", "UK", "USSR", "both"];

/// What stands behind the word of a choice.
#[derive(Clone, Copy)]
enum Object {
    /// Nothing.
    None,
    /// A number.
    Number(u8),
    /// A unit.
    Unit(UnitId),
    /// A place.
    Place(Place),
    /// A country.
    Country(Country),
    /// A city.
    City(City),
    /// An event marker.
    Marker(Marker),
    /// A marker of the Diplomacy Cup.
    Diplomat(Diplomat),
    /// A kind of Lend-Lease.
    LendLease(u8),
}

/// The word of a choice and what stands behind it.
const fn parts(choice: Choice) -> (&'static str, Object) {
    match choice {
        Choice::Die(die) => ("die", Object::Number(die)),
        Choice::Drawn(marker) => ("drawn", Object::Diplomat(marker)),
        Choice::Pass => ("pass", Object::None),
        Choice::End => ("end", Object::None),
        Choice::Evaluate => ("evaluate", Object::None),
        Choice::EndPact => ("end pact", Object::None),
        Choice::Declare(country) => ("declare", Object::Country(country)),
        Choice::Peace(country) => ("peace", Object::Country(country)),
        Choice::Influence(country) => ("influence", Object::Country(country)),
        Choice::LendLease(to) => ("lend-lease", Object::LendLease(to)),
        Choice::Relocate(city) => ("relocate", Object::City(city)),
        Choice::Rail(unit) => ("rail", Object::Unit(unit)),
        Choice::To(place) => ("to", Object::Place(place)),
        Choice::Play(marker) => ("play", Object::Marker(marker)),
        Choice::Activate(unit) => ("activate", Object::Unit(unit)),
        Choice::Assault(place) => ("assault", Object::Place(place)),
        Choice::Rebase(unit) => ("rebase", Object::Unit(unit)),
        Choice::Sail(unit) => ("sail", Object::Unit(unit)),
        Choice::Transport(unit) => ("transport", Object::Unit(unit)),
        Choice::Invade(unit) => ("invade", Object::Unit(unit)),
        Choice::Strike(unit) => ("strike", Object::Unit(unit)),
        Choice::Bomb(unit) => ("bomb", Object::Unit(unit)),
        Choice::Drop(unit) => ("drop", Object::Unit(unit)),
        Choice::Partisans(place) => ("partisans", Object::Place(place)),
        Choice::LowCountries => ("low countries", Object::None),
        Choice::Step(place) => ("step", Object::Place(place)),
        Choice::Attack(place) => ("attack", Object::Place(place)),
        Choice::Stop => ("stop", Object::None),
        Choice::Advance => ("advance", Object::None),
        Choice::Stay => ("stay", Object::None),
        Choice::Primary(unit) => ("primary", Object::Unit(unit)),
        Choice::With(unit) => ("with", Object::Unit(unit)),
        Choice::Go => ("go", Object::None),
        Choice::Use(marker) => ("use", Object::Marker(marker)),
        Choice::Commit => ("commit", Object::None),
        Choice::HoldBack => ("hold back", Object::None),
        Choice::HoldBackAll => ("hold back all", Object::None),
        Choice::Air(unit) => ("air", Object::Unit(unit)),
        Choice::Stand => ("stand", Object::None),
        Choice::GiveWay => ("give way", Object::None),
        Choice::Retreat(place) => ("retreat", Object::Place(place)),
        Choice::Evacuate => ("evacuate", Object::None),
        Choice::Forward(unit) => ("forward", Object::Unit(unit)),
        Choice::At(place) => ("at", Object::Place(place)),
        Choice::Against(unit) => ("against", Object::Unit(unit)),
        Choice::Escort(unit) => ("escort", Object::Unit(unit)),
        Choice::Alone => ("alone", Object::None),
        Choice::Intercept(unit) => ("intercept", Object::Unit(unit)),
        Choice::LetGo => ("let go", Object::None),
        Choice::LetAllGo => ("let all go", Object::None),
        Choice::CallOff => ("call off", Object::None),
        Choice::GoOn => ("go on", Object::None),
        Choice::Press => ("press", Object::None),
        Choice::Mulberry => ("mulberry", Object::None),
        Choice::Link(unit) => ("link", Object::Unit(unit)),
        Choice::Feed(unit) => ("feed", Object::Unit(unit)),
        Choice::Replace(unit) => ("replace", Object::Unit(unit)),
        Choice::Mobilize(unit) => ("mobilize", Object::Unit(unit)),
        Choice::Wall(place) => ("wall", Object::Place(place)),
        Choice::Order => ("order", Object::None),
        Choice::Draw => ("draw", Object::None),
        Choice::Put(marker) => ("put", Object::Diplomat(marker)),
        Choice::Coup(country) => ("coup", Object::Country(country)),
        Choice::Court(country) => ("court", Object::Country(country)),
    }
}

impl Rules {
    /// Writes the name of a choice.
    pub(crate) fn write_name(&self, choice: Choice, out: &mut String) {
        let (word, object) = parts(choice);
        out.push_str(word);
        let _ = match object {
            Object::None => Ok(()),
            Object::Number(number) => write!(out, " {number}"),
            Object::Unit(unit) => {
                write!(out, " {}", self.world.units.get(unit.index()).map_or("-", |info| &info.id))
            }
            Object::Place(place) => write!(out, " {}", self.world.place_name(place)),
            Object::Country(country) => write!(out, " {}", country.id()),
            Object::City(city) => {
                write!(out, " {}", self.world.cities.get(city.index()).map_or("-", |info| &info.id))
            }
            Object::Marker(marker) => write!(out, " {}", marker.id()),
            Object::Diplomat(marker) => write!(out, " {}", marker.id()),
            Object::LendLease(to) => write!(out, " {}", LEND_LEASE[usize::from(to) & 3]),
        };
    }

    /// Reads a name, whether the choice can be made now or not.
    pub(crate) fn read_name(&self, name: &str) -> Option<Choice> {
        let (word, rest) = name.split_once(' ').unwrap_or((name, ""));
        if let Some(choice) = plain(name) {
            return Some(choice);
        }
        if let Some(of) = of_unit(word) {
            return self.world.unit_named(rest).map(of);
        }
        if let Some(of) = of_place(word) {
            return self.world.place_named(rest).map(of);
        }
        let country = || Country::of_id(rest);
        Some(match word {
            // A die is written in one way only.
            "die" => Choice::Die((1..=6).find(|die| rest == die.to_string())?),
            "drawn" => Choice::Drawn(Diplomat::of_id(rest)?),
            "put" => Choice::Put(Diplomat::of_id(rest)?),
            "declare" => Choice::Declare(country()?),
            "peace" => Choice::Peace(country()?),
            "influence" => Choice::Influence(country()?),
            "coup" => Choice::Coup(country()?),
            "court" => Choice::Court(country()?),
            "lend-lease" => {
                Choice::LendLease(LEND_LEASE.iter().position(|known| *known == rest)?.try_into().ok()?)
            }
            "relocate" => Choice::Relocate(self.world.city_named(rest)?),
            "play" => Choice::Play(Marker::of_id(rest)?),
            "use" => Choice::Use(Marker::of_id(rest)?),
            _ => return None,
        })
    }
}

/// Choices with nothing behind their words.
fn plain(name: &str) -> Option<Choice> {
    Some(match name {
        "pass" => Choice::Pass,
        "end" => Choice::End,
        "evaluate" => Choice::Evaluate,
        "end pact" => Choice::EndPact,
        "low countries" => Choice::LowCountries,
        "stop" => Choice::Stop,
        "advance" => Choice::Advance,
        "stay" => Choice::Stay,
        "go" => Choice::Go,
        "commit" => Choice::Commit,
        "hold back" => Choice::HoldBack,
        "hold back all" => Choice::HoldBackAll,
        "stand" => Choice::Stand,
        "give way" => Choice::GiveWay,
        "evacuate" => Choice::Evacuate,
        "alone" => Choice::Alone,
        "let go" => Choice::LetGo,
        "let all go" => Choice::LetAllGo,
        "call off" => Choice::CallOff,
        "go on" => Choice::GoOn,
        "press" => Choice::Press,
        "mulberry" => Choice::Mulberry,
        "order" => Choice::Order,
        "draw" => Choice::Draw,
        _ => return None,
    })
}

/// Words before a unit.
fn of_unit(word: &str) -> Option<fn(UnitId) -> Choice> {
    Some(match word {
        "rail" => Choice::Rail,
        "activate" => Choice::Activate,
        "rebase" => Choice::Rebase,
        "sail" => Choice::Sail,
        "transport" => Choice::Transport,
        "invade" => Choice::Invade,
        "strike" => Choice::Strike,
        "bomb" => Choice::Bomb,
        "drop" => Choice::Drop,
        "primary" => Choice::Primary,
        "with" => Choice::With,
        "air" => Choice::Air,
        "forward" => Choice::Forward,
        "against" => Choice::Against,
        "escort" => Choice::Escort,
        "intercept" => Choice::Intercept,
        "link" => Choice::Link,
        "feed" => Choice::Feed,
        "replace" => Choice::Replace,
        "mobilize" => Choice::Mobilize,
        _ => return None,
    })
}

/// Words before a place.
fn of_place(word: &str) -> Option<fn(Place) -> Choice> {
    Some(match word {
        "to" => Choice::To,
        "assault" => Choice::Assault,
        "partisans" => Choice::Partisans,
        "step" => Choice::Step,
        "attack" => Choice::Attack,
        "retreat" => Choice::Retreat,
        "at" => Choice::At,
        "wall" => Choice::Wall,
        _ => return None,
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::ids::LANDS;
    use crate::testing::rules;

    /// Every choice that there is: every kind with everything that can stand behind it.
    pub(crate) fn every_choice() -> Vec<Choice> {
        use Choice as C;
        let mut all = vec![
            C::Pass,
            C::End,
            C::Evaluate,
            C::EndPact,
            C::LowCountries,
            C::Stop,
            C::Advance,
            C::Stay,
            C::Go,
            C::Commit,
            C::HoldBack,
            C::HoldBackAll,
            C::Stand,
            C::GiveWay,
            C::Evacuate,
            C::Alone,
            C::LetGo,
            C::LetAllGo,
            C::CallOff,
            C::GoOn,
            C::Press,
            C::Mulberry,
            C::Order,
            C::Draw,
        ];
        all.extend((1..=6).map(C::Die));
        all.extend((0..=3).map(C::LendLease));
        all.extend(Diplomat::ALL.iter().flat_map(|(_, marker)| [C::Drawn(*marker), C::Put(*marker)]));
        all.extend(Marker::ALL.iter().flat_map(|(_, marker)| [C::Play(*marker), C::Use(*marker)]));
        all.extend(City::all().map(C::Relocate));
        for country in Country::all() {
            all.extend([C::Declare, C::Peace, C::Influence, C::Coup, C::Court].map(|of| of(country)));
        }
        let places = Place::hexes().chain([Place::CRU, Place::ENA, Place::WIO]);
        for place in places {
            let of = [C::To, C::Assault, C::Partisans, C::Step, C::Attack, C::Retreat, C::At, C::Wall];
            all.extend(of.map(|of| of(place)));
        }
        for unit in UnitId::all() {
            let of = [
                C::Rail,
                C::Activate,
                C::Rebase,
                C::Sail,
                C::Transport,
                C::Invade,
                C::Strike,
                C::Bomb,
                C::Drop,
                C::Primary,
            ];
            all.extend(of.map(|of| of(unit)));
            let of = [
                C::With,
                C::Air,
                C::Forward,
                C::Against,
                C::Escort,
                C::Intercept,
                C::Link,
                C::Feed,
                C::Replace,
                C::Mobilize,
            ];
            all.extend(of.map(|of| of(unit)));
        }
        all
    }

    #[test]
    fn every_choice_has_a_name_of_its_own_that_is_read_back() {
        let rules = rules();
        let mut names = BTreeSet::new();
        for choice in every_choice() {
            let mut name = String::new();
            rules.write_name(choice, &mut name);
            assert_eq!(rules.read_name(&name), Some(choice), "{name}");
            assert!(names.insert(name.clone()), "{name} is the name of two choices");
        }
        assert!(names.len() > 8 * LANDS);
        for name in ["activate GER-6A", "step 3120", "hold back", "use ground-support", "declare BEL"] {
            assert!(names.contains(name), "{name}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        let rules = rules();
        for name in ["", " ", "step", "step 9999", "step 3x20", "die 0", "die 07", "activate", "hold", "to -"]
        {
            assert_eq!(rules.read_name(name), None, "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn a_text_is_a_name_only_if_it_is_written_so(text in "[a-zA-Z0-9 -]{0,24}|\\PC{0,12}") {
            let rules = rules();
            if let Some(choice) = rules.read_name(&text) {
                let mut name = String::new();
                rules.write_name(choice, &mut name);
                prop_assert_eq!(name, text);
            }
        }

        #[test]
        fn words_with_anything_behind_them_are_read_without_a_panic(
            word in prop::sample::select(vec!["step", "activate", "die", "declare", "put", "use", "relocate", "to"]),
            rest in "[0-9A-Z-]{0,6}|\\PC{0,8}",
        ) {
            let rules = rules();
            let text = format!("{word} {rest}");
            if let Some(choice) = rules.read_name(&text) {
                let mut name = String::new();
                rules.write_name(choice, &mut name);
                prop_assert_eq!(name, text);
            }
        }
    }
}
