//! Units of a position that is set by hand.

use crate::position_words::{Fault, Words};
use crate::rules::Rules;
use crate::state::{State, Status, flag};
use crate::units::Kind;
use crate::world::Atlas;

impl Rules {
    /// `germany infantry 3 munich`, with a number before it for several, and `escaped` or `disrupted` behind it.
    pub(crate) fn set_unit(&self, state: &mut State, words: &mut Words<'_>) -> Result<(), Fault> {
        let mut ahead = words.clone();
        let count = ahead.number(1..=20).map_or(1, |count| {
            *words = ahead;
            count
        });
        if words.takes("minor") {
            return self.set_fort(state, words);
        }
        let mut power_at = words.clone();
        let power = words.power()?;
        let of = self.atlas().power_nation[power.index()];
        if state.nation(of).status != Status::Belongs {
            let at = power_at.word().map_or(0..0, |(at, _)| at);
            return Err(Fault::new(at, format!("{} has no units now", power.title()), "a Power in play"));
        }
        let mut kind_at = words.clone();
        let kind = words.kind()?;
        let cv = words.number(1..=u16::from(self.atlas().max_cv[power.index()]))? as u8;
        let mut area_at = words.clone();
        let area = words.area(self)?;
        let at_sea = Atlas::is_sea(area);
        if (kind.is_ship() && !at_sea && !self.atlas().area(area).coastal)
            || (kind == Kind::Fortress && at_sea)
        {
            let at = area_at.word().map_or(0..0, |(at, _)| at);
            let fits = if at_sea { "land" } else { "a Coastal area" };
            return Err(Fault::new(at, format!("a {} can't be there", kind.title()), fits));
        }
        let escaped = words.takes("escaped");
        let disrupted = words.takes("disrupted");
        for _ in 0..count {
            let pool = self.atlas().pools[power.index()][kind.index()];
            let block =
                if state.used(power, kind) < pool { state.place(power, kind, cv, area) } else { None };
            let Some(block) = block else {
                let at = kind_at.word().map_or(0..0, |(at, _)| at);
                let what = format!("{} has no such block left", power.title());
                return Err(Fault::new(at, what, format!("at most {pool} of this type")));
            };
            if escaped && kind == Kind::Submarine && at_sea {
                state.set_escaped(block, true);
            }
            if disrupted {
                state.blocks[block].flags |= flag::DISRUPTED;
            }
        }
        self.snapshot(state);
        Ok(())
    }

    /// `minor fortress 1 warsaw` gives the fort of an Armed Minor another CV; `minor fortress 0 warsaw` removes it.
    fn set_fort(&self, state: &mut State, words: &mut Words<'_>) -> Result<(), Fault> {
        words.read("fortress", || ["fortress"], |word| (word == "fortress").then_some(()))?;
        let cv = words.number(0..=4)? as u8;
        let mut area_at = words.clone();
        let area = words.area(self)?;
        let Some(fort) = state.fort_at(area) else {
            let at = area_at.word().map_or(0..0, |(at, _)| at);
            return Err(Fault::new(at, "no fort stands there", "an area with a fort of an Armed Minor"));
        };
        if cv == 0 {
            state.remove(fort);
        } else {
            state.blocks[fort].cv = cv;
        }
        self.snapshot(state);
        Ok(())
    }
}
