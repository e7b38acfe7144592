//! Ships and aircraft, step by step. Rules 11.1 to 11.4, 11.51, 11.55.

use triumph::{Faction, Ground, Kind, NONE, Tech};

use super::eyes::{Eyes, Goals, Land, Mover, Seen};
use super::trade::is_sea;

impl Eyes<'_> {
    // --- ships ------------------------------------------------------------------------------------

    pub(super) fn by_ship(&self, mover: Mover, goals: &mut Goals) {
        let speed = if mover.kind == Kind::Submarine { 2 } else { 3 };
        self.sail(mover, mover.start, speed, &mut Seen::new(), goals);
        if !mover.leaves {
            self.sail_far(mover, mover.start, 2 * speed, &mut Seen::new(), goals);
        }
        let atlas = self.game.rules().atlas();
        for edge in self.edges(mover.start) {
            if atlas.borders[usize::from(edge.border)].coastline && self.may_be(mover, edge.to) {
                self.put_in(mover, mover.start, edge.to, goals);
            }
        }
    }

    /// A ship ends in a land area, if it may.
    fn put_in(&self, mover: Mover, at: u8, to: u8, goals: &mut Goals) {
        let supported = self.state.ground_support(self.faction, to);
        match self.land(to) {
            Land::Closed => {}
            _ if self.foes(to) => {
                if !mover.leaves && (!self.calm || self.own(to)) {
                    goals.insert((to, at));
                }
            }
            Land::Friendly => {
                if !mover.leaves || self.undisputed(to) {
                    goals.insert((to, NONE));
                }
            }
            Land::Enemy | Land::Guest => {
                if supported && !self.calm && !mover.leaves {
                    goals.insert((to, NONE));
                }
            }
        }
    }

    fn sail(&self, mover: Mover, at: u8, left: u8, seen: &mut Seen, goals: &mut Goals) {
        if left == 0 || !seen.insert((at, left)) {
            return;
        }
        let first = at == mover.start;
        for edge in self.edges(at).iter().filter(|edge| is_sea(at) || is_sea(edge.to)) {
            let to = edge.to;
            if !self.may_be(mover, to) {
                continue;
            }
            if is_sea(to) {
                if self.cost(to) > left {
                    continue;
                }
                if self.foes(to) {
                    if !mover.leaves && !self.calm {
                        goals.insert((to, at));
                    }
                    if mover.kind == Kind::Submarine && !self.calm {
                        self.sail(mover, to, left - self.cost(to), seen, goals);
                    }
                } else {
                    goals.insert((to, NONE));
                    self.sail(mover, to, left - self.cost(to), seen, goals);
                }
                continue;
            }
            let own_strait =
                self.ground(to) == Ground::Strait && self.land(to) == Land::Friendly && !self.foes(to);
            // Who leaves a Battle goes to Open Sea first; only Submarines pass a strait at once (R106).
            let bound = first && mover.leaves && mover.kind != Kind::Submarine;
            let passes = own_strait || (self.passable_strait(to) && !bound);
            if passes {
                self.sail(mover, to, left - 1, seen, goals);
            }
            self.put_in(mover, at, to, goals);
        }
    }

    // --- aircraft ---------------------------------------------------------------------------------

    pub(super) fn by_air(&self, mover: Mover, goals: &mut Goals) {
        let speed = if self.knows(Tech::HeavyBombers) { 3 } else { 2 };
        let mut found = Goals::new();
        self.fly(mover, mover.start, speed, &mut Seen::new(), &mut found);
        let at_sea = is_sea(mover.start);
        found.retain(|(to, via)| match (*via, at_sea, mover.leaves) {
            (_, true, _) => self.undisputed(*to),
            (NONE, _, true) => is_sea(*to) || self.undisputed(*to),
            (_, _, true) => false,
            _ => true,
        });
        goals.extend(found);
        if !at_sea && !mover.leaves && self.state.controls(self.faction, mover.start) {
            self.fly_far(mover, mover.start, 2 * speed, &mut Seen::new(), goals);
        }
    }

    fn fly(&self, mover: Mover, at: u8, left: u8, seen: &mut Seen, goals: &mut Goals) {
        if left == 0 || !seen.insert((at, left)) {
            return;
        }
        for edge in self.edges(at) {
            let to = edge.to;
            if self.cost(to) > left || !self.may_be(mover, to) {
                continue;
            }
            let rest = left - self.cost(to);
            let foes = self.foes(to);
            if is_sea(to) {
                if foes && self.calm {
                    continue;
                }
                goals.insert((to, if foes { to } else { NONE }));
                self.fly(mover, to, rest, seen, goals);
                continue;
            }
            let land = self.land(to);
            match land {
                Land::Closed => {}
                _ if foes => {
                    if !self.calm || self.own(to) {
                        goals.insert((to, to));
                    }
                }
                Land::Friendly => {
                    goals.insert((to, NONE));
                }
                Land::Enemy | Land::Guest => {
                    let capital = Faction::ALL.into_iter().any(|other| {
                        self.is_enemy(other)
                            && self.game.rules().atlas().factions[other.index()].main_capital == to
                    });
                    let bombs = land == Land::Enemy && capital && self.knows(Tech::PrecisionBombsight);
                    if !self.calm && (bombs || self.state.ground_support(self.faction, to)) {
                        goals.insert((to, NONE));
                    }
                }
            }
            let over = match land {
                Land::Friendly | Land::Guest => true,
                Land::Enemy => !self.calm,
                Land::Closed => self.passable_strait(to),
            };
            if over {
                self.fly(mover, to, rest, seen, goals);
            }
        }
    }

    fn fly_far(&self, mover: Mover, at: u8, left: u8, seen: &mut Seen, goals: &mut Goals) {
        if left == 0 || !seen.insert((at, left)) {
            return;
        }
        for edge in self.edges(at) {
            let to = edge.to;
            if self.cost(to) > left || !self.may_be(mover, to) {
                continue;
            }
            let lurking = self
                .faction
                .rivals()
                .into_iter()
                .any(|r| self.is_enemy(r) && self.state.escaped[r.index()].has(to));
            let quiet = if is_sea(to) { !self.foes(to) && !lurking } else { self.undisputed(to) };
            if quiet {
                if !is_sea(to) {
                    goals.insert((to, NONE));
                }
                self.fly_far(mover, to, left - self.cost(to), seen, goals);
            }
        }
    }
}
