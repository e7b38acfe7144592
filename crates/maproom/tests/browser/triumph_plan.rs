//! What the people of the tests want in Triumph & Tragedy: a little of everything that a year has, and a war in Austria.

use std::collections::BTreeMap;

/// What each seat has done of what it wants to do once in a phase.
#[derive(Default)]
pub struct Plan {
    done: BTreeMap<String, usize>,
}

impl Plan {
    /// How often this was done before, in a phase; counts it.
    fn count(&mut self, what: &str) -> usize {
        let done = self.done.entry(what.to_owned()).or_default();
        *done += 1;
        *done - 1
    }

    /// What a seat chooses: a little of everything that a year has.
    /// `season` begins with its word: "Spring 1936".
    pub fn choice(&mut self, seat: &str, names: &[String], season: &str) -> String {
        let phase = season.split(' ').next().unwrap_or_default();
        let first = |beginning: &str| names.iter().find(|name| name.starts_with(beginning)).cloned();
        let key = format!("{phase} {seat}");
        if names[0].starts_with("cadre ") {
            // Mostly infantry and tanks, and something of everything.
            let kinds =
                ["infantry", "tank", "infantry", "air_force", "submarine", "fleet", "fortress", "infantry"];
            let turn = self.count(&format!("{key} places"));
            let wanted = |at: usize| {
                let end = format!(" {}", kinds[(turn + at) % kinds.len()]);
                names.iter().find(|name| name.ends_with(&end)).cloned()
            };
            return (0..kinds.len()).find_map(wanted).unwrap_or_else(|| names[0].clone());
        }
        if names.iter().any(|name| name == "finish") {
            let investments = if seat == "axis" { 7 } else { 3 };
            let wish = match self.count(&format!("{key} spends")) {
                0 => first("build"),
                1 => first("buy action"),
                spent if spent < investments => first("buy investment"),
                spent if spent < investments + 2 => first("strengthen"),
                _ => None,
            };
            return wish.unwrap_or_else(|| "finish".to_owned());
        }
        if names.iter().any(|name| name == "pass") {
            let command = names.iter().any(|name| name.starts_with("commit "));
            let plays = if command { Self::commands(names, phase) } else { self.plays(names, &key) };
            return plays.unwrap_or_else(|| "pass".to_owned());
        }
        if first("move ").is_some() || first("violate ").is_some() {
            return self.moves(names, &key, seat);
        }
        if names[0].starts_with("reveal ") {
            return "end".to_owned();
        }
        if names[0].starts_with("discard ") {
            // Investment cards first, then the cards of Fall.
            return names[names.len() - 1].clone();
        }
        // Whoever can, fires; what must be answered is answered by the first answer.
        first("to vienna").or_else(|| first("fire ")).unwrap_or_else(|| names[0].clone())
    }

    /// Card play: a pair for the vault, a factory, a nation.
    fn plays(&mut self, names: &[String], key: &str) -> Option<String> {
        let wishes = ["tech ", "factory", "diplomacy "];
        let wish = wishes.get(self.count(&format!("{key} plays")))?;
        let is_open = |name: &&String| name.starts_with(wish) && !name.ends_with(" reveal");
        names
            .iter()
            .find(is_open)
            .or_else(|| names.iter().find(|name| name.starts_with("diplomacy ")))
            .cloned()
    }

    /// A card of the season, if there is one.
    fn commands(names: &[String], phase: &str) -> Option<String> {
        let season = match phase {
            "Spring" => 1..=15,
            "Summer" => 16..=40,
            "Fall" => 41..=55,
            _ => 1..=55,
        };
        let number = |name: &&String| name.strip_prefix("commit A")?.parse::<u8>().ok();
        names.iter().find(|name| number(name).is_some_and(|number| season.contains(&number))).cloned()
    }

    /// The Axis marches into Austria with what it has in Munich; then everybody moves a unit or two.
    fn moves(&mut self, names: &[String], key: &str, seat: &str) -> String {
        let made = self.count(&format!("{key} moves"));
        let named = |beginning: &str| names.iter().find(|name| name.starts_with(beginning)).cloned();
        if seat == "axis" {
            let marches = |name: &&String| {
                name.starts_with("move germany") && name.contains(" munich") && !name.contains("fortress")
            };
            let attack = named("violate austria").or_else(|| names.iter().find(marches).cloned());
            if let Some(attack) = attack.filter(|_| made < 4) {
                return attack;
            }
        }
        match named("move ") {
            Some(unit) if made < 1 => unit,
            _ => "end".to_owned(),
        }
    }
}
