//! What the layers over the map show of the viewer's own side: supply, trade, threats to capitals.

use maud::html;
use triumph::{AreaSet, Faction, Rules, State, Threat, TradeRoutes, View};
use web::Scene;

use super::{atlas, block};
use crate::words::counted;

/// The layers of a position. Those who watch all sides have none.
#[derive(Default)]
pub struct Layers {
    supplied: AreaSet,
    trade: TradeRoutes,
    breaks_trade: AreaSet,
    threats: Vec<Threat>,
    of: Option<Faction>,
}

impl Layers {
    /// The layers of the viewer: of the Faction that chooses now if it is theirs, else of their first.
    pub fn of(rules: &Rules, view: &View) -> Self {
        let state = view.state();
        let decides = rules.decider(state).filter(|faction| view.knows(*faction));
        let own = decides.or_else(|| view.own().factions().next()).filter(|_| view.own().count() < 3);
        let Some(faction) = own else { return Self::default() };
        Self {
            supplied: rules.supplied(state, faction),
            trade: rules.trade_routes(state, faction),
            breaks_trade: rules.trade_breakers(state, faction),
            threats: rules.threats(view, faction),
            of: own,
        }
    }

    /// The words that an area's class gets.
    pub fn classes(&self, area: u8) -> impl Iterator<Item = &'static str> {
        let threatens = self.threats.iter().any(|threat| threat.from.has(area));
        let words = [
            (self.supplied.has(area), "supplied"),
            (self.trade.open.has(area), "traded"),
            (self.trade.round_africa.has(area), "by-africa"),
            (self.breaks_trade.has(area), "breaks-trade"),
            (threatens, "threatens"),
        ];
        words.into_iter().filter_map(|(holds, word)| holds.then_some(word))
    }

    /// Whether a unit is one that supply does not reach. Rule 14.1.
    pub fn is_cut_off(&self, state: &State, at: usize) -> bool {
        let unit = &state.blocks[at];
        let own = self.of.is_some() && State::owner(at) == self.of;
        own && unit.kind.is_troop() && !self.supplied.has(unit.area)
    }

    /// The threats to each capital, a mark on it.
    pub fn draw_threats(&self, rules: &Rules, scene: &mut Scene) {
        for same in self.threats.chunk_by(|one, other| one.capital == other.capital) {
            let info = rules.atlas().area(same[0].capital);
            let Some(at) = atlas::place(same[0].capital).and_then(|place| place.signs) else {
                continue;
            };
            let key = format!("threat-{}", info.id);
            let said: Vec<String> = same.iter().map(words).collect();
            let at_war = same.iter().any(|threat| threat.at_war);
            let units: u8 = same.iter().map(|threat| threat.known + threat.unknown).sum();
            let drawn = html! {
                g id=(key) .threat.at-war[at_war] transform=(block::at(at)) {
                    title { (info.name) " could be reached by " (said.join(", and ")) }
                    circle r="14" {}
                    text y="5.5" { (units) }
                }
            };
            scene.add("threats", key, drawn);
        }
    }
}

/// "2 Axis units of 5 CV and 3 unknown, if it declares war".
fn words(threat: &Threat) -> String {
    let by = threat.by.title();
    let known = counted(usize::from(threat.known), &format!("{by} unit"));
    let unknown = usize::from(threat.unknown);
    let mut words = match (threat.known, threat.unknown) {
        (0, _) => counted(unknown, &format!("unknown {by} unit")),
        (_, 0) => format!("{known} of {} CV", threat.cv),
        _ => format!("{known} of {} CV and {unknown} unknown", threat.cv),
    };
    if !threat.at_war {
        words.push_str(" if it declared war");
    }
    words
}
