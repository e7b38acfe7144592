//! The worked examples of ground combat (50.1), set up on the map.

use crate::choice::Choice;
use crate::ids::{Country, Faction, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{Fight, Manner, State, Status, Supply, note};
use crate::tables::{Line, Weather, final_value, turn_of};
use crate::testing;

const EAST: [(Country, Side); 2] = [(Country::GER, Side::Axis), (Country::USSR, Side::Soviet)];
const POLAND: [(Country, Side); 2] = [(Country::GER, Side::Axis), (Country::POL, Side::Western)];
const FRANCE: [(Country, Side); 2] = [(Country::GER, Side::Axis), (Country::FRA, Side::Western)];
/// France in German hands.
const LANDING: [(Country, Side); 3] =
    [(Country::GER, Side::Axis), (Country::FRA, Side::Axis), (Country::USA, Side::Western)];

/// A position and a combat in it.
struct Example {
    rules: Rules,
    state: State,
    fight: Fight,
}

impl Example {
    /// A Mobile attack of a unit in a hex on a unit in another.
    fn new(active: &[(Country, Side)], attacker: (&str, &str), defender: (&str, &str)) -> Self {
        let rules = testing::rules();
        let mut state = testing::position(&rules, active);
        let primary = testing::put(&rules, &mut state, attacker.0, attacker.1);
        let target = testing::put(&rules, &mut state, defender.0, defender.1);
        let hex = state.unit(target).place;
        let fight = Fight { manner: Manner::Mobile, primary, defender: target, hex, ..Fight::NONE };
        Self { rules, state, fight }
    }

    fn weather(mut self, weather: Weather) -> Self {
        self.state.weather = [weather; 4];
        self
    }

    fn assault(mut self, more: &[(&str, &str)]) -> Self {
        self.fight.manner = Manner::Assault;
        self.join(more)
    }

    fn join(mut self, more: &[(&str, &str)]) -> Self {
        for (at, (unit, place)) in more.iter().enumerate() {
            self.fight.more[at] = testing::put(&self.rules, &mut self.state, unit, place);
        }
        self
    }

    fn landing(mut self) -> Self {
        self.fight.manner = Manner::Landing;
        self.fight.naval_support = true;
        self
    }

    fn friend(mut self, unit: &str, place: &str) -> Self {
        testing::put(&self.rules, &mut self.state, unit, place);
        self
    }

    fn air(mut self, support: [bool; 2]) -> Self {
        self.fight.support = support;
        self
    }

    fn ground_support(mut self) -> Self {
        self.fight.markers[0] |= 1 << Marker::GroundSupport.index();
        self
    }

    /// Reduces a unit, or changes its supply.
    fn with(mut self, of: fn(&Fight) -> UnitId, level: u8, supply: Supply) -> Self {
        let unit = of(&self.fight);
        (self.state.unit_mut(unit).level, self.state.unit_mut(unit).supply) = (level, supply);
        self
    }

    /// Modifiers (capped), halvings, final values and result.
    #[track_caller]
    fn gives(mut self, modifiers: [i8; 2], halvings: [u8; 2], dice: [u8; 2], values: [i32; 2], result: &str) {
        self.fight.dice = dice;
        let sums = [0, 1].map(|side| self.rules.fight_sum(&self.state, &self.fight, side));
        let limit = self.rules.world.tables.drm_limit;
        assert_eq!(sums.map(|sum| sum.total().clamp(-limit, limit)), modifiers, "{sums:?}");
        assert_eq!(sums.map(|sum| sum.halvings), halvings);
        assert_eq!(sums.map(|sum| final_value(sum.die, sum.total(), sum.halvings, limit)), values);
        assert_eq!(self.rules.result_of(&sums).code(), result);
        // The odds hold this roll.
        assert!(self.rules.fight_odds(&sums)[self.rules.result_of(&sums) as usize] > 0);
        assert_eq!(self.rules.fight_odds(&sums).iter().sum::<u32>(), 36);
    }
}

fn primary(fight: &Fight) -> UnitId {
    fight.primary
}

fn defender(fight: &Fight) -> UnitId {
    fight.defender
}

#[test]
fn e01_to_e03_in_poland() {
    Example::new(&POLAND, ("GER-4A", "2731"), ("POL-POM", "2732")).gives(
        [2, 0],
        [0, 0],
        [4, 3],
        [6, 3],
        "DR2",
    );
    Example::new(&POLAND, ("GER-19PZ", "2731"), ("POL-POM", "2732")).air([true, false]).gives(
        [6, 0],
        [0, 0],
        [5, 2],
        [11, 2],
        "DE4",
    );
    Example::new(&POLAND, ("GER-19PZ", "2735"), ("POL-POM", "2835")).air([true, false]).gives(
        [5, 0],
        [0, 0],
        [3, 6],
        [8, 6],
        "NE",
    );
}

#[test]
fn e04_and_e15_across_a_river_into_woods() {
    Example::new(&FRANCE, ("GER-4A", "3915"), ("FRA-1A", "3914")).weather(Weather::Poor).gives(
        [-2, 2],
        [0, 0],
        [2, 5],
        [1, 7],
        "AA3",
    );
    Example::new(&FRANCE, ("GER-4A", "3915"), ("FRA-2A", "3914"))
        .weather(Weather::Poor)
        .with(primary, 1, Supply::Low)
        .gives([-6, 1], [0, 0], [1, 1], [1, 2], "NE");
}

#[test]
fn e05_assault_on_metz() {
    Example::new(&FRANCE, ("GER-19PZ", "3323"), ("FRA-3A", "3322"))
        .assault(&[("GER-16PZ", "3222"), ("GER-4A", "3221")])
        .ground_support()
        .gives([7, 1], [1, 0], [6, 3], [7, 4], "DR2");
}

#[test]
fn e07_no_supply_halves() {
    Example::new(&EAST, ("GER-4A", "1857"), ("USSR-7A", "1858")).with(primary, 0, Supply::No).gives(
        [2, 0],
        [1, 0],
        [6, 1],
        [4, 1],
        "DR2",
    );
}

#[test]
fn e09_and_e10_isolated() {
    Example::new(&FRANCE, ("GER-4A", "5421"), ("FRA-2A", "5322"))
        .with(defender, 1, Supply::Full)
        .air([true, false])
        .ground_support()
        .gives([7, -1], [0, 0], [4, 3], [11, 2], "DE4");
    let mut all = Example::new(&EAST, ("GER-PZ3", "0342"), ("USSR-7A", "0343"))
        .assault(&[("GER-19PZ", "0443"), ("GER-16PZ", "0442")])
        .air([true, false])
        .ground_support();
    all.state.notes |= note::SURPRISE;
    assert_eq!(all.rules.fight_sum(&all.state, &all.fight, 0).total(), 16);
    all.gives([10, 0], [0, 0], [6, 6], [16, 6], "DD3");
}

#[test]
fn a_friend_beside_it_or_a_fort_on_an_island_takes_isolation_away() {
    let lone = Example::new(&FRANCE, ("GER-4A", "5421"), ("FRA-2A", "5322"));
    assert!(lone.rules.is_isolated(&lone.state, &lone.fight));
    let helped = lone.friend("FRA-3A", "5422");
    assert!(!helped.rules.is_isolated(&helped.state, &helped.fight));
    // A friendly fort does the same, though the defender could not retreat into it; one of the enemy's does not.
    let mut walled = Example::new(&FRANCE, ("GER-4A", "5421"), ("FRA-2A", "5322"));
    let fort = walled.rules.world.place_named("5422").expect("a place");
    walled.state.walls[0] = fort;
    assert!(walled.rules.retreat_hexes(&walled.state, &walled.fight).next().is_none());
    assert!(!walled.rules.is_isolated(&walled.state, &walled.fight));
    walled.state.control[fort.index()] = Side::Axis;
    assert!(walled.rules.is_isolated(&walled.state, &walled.fight));
    // Ruling 30: Malta is a fort on an island; a landing there finds no retreat hex, but gets no +2.
    let active = [(Country::ITA, Side::Axis), (Country::UK, Side::Western)];
    let malta = Example::new(&active, ("ITA-1A", "5131"), ("UK-MAL", "5530")).landing();
    assert!(malta.rules.is_isolated(&malta.state, &malta.fight));
    // Landing −1, Naval Support +2, city −1; British +1; the fort halves.
    malta.gives([0, 1], [1, 0], [6, 1], [3, 2], "NE");
}

#[test]
fn e12_across_a_strait() {
    let active = [(Country::ITA, Side::Axis), (Country::UK, Side::Western), (Country::USSR, Side::Western)];
    Example::new(&active, ("ITA-1A", "3750"), ("UK-HF", "3751")).gives(
        [-2, 1],
        [0, 0],
        [3, 2],
        [1, 3],
        "AS2",
    );
}

#[test]
fn e13_and_e18_tanks_and_shock() {
    Example::new(&EAST, ("GER-19PZ", "1857"), ("USSR-3TK", "1858")).weather(Weather::Poor).gives(
        [1, 1],
        [0, 0],
        [4, 3],
        [5, 4],
        "NE",
    );
    Example::new(&EAST, ("USSR-2SH", "1857"), ("GER-4A", "1858"))
        .assault(&[("USSR-3TK", "1759")])
        .ground_support()
        .gives([4, 2], [0, 0], [6, 2], [10, 4], "DD3");
}

/// In Severe weather a tank army that joins an Assault is worth what any other is (`drm.toml`).
#[test]
fn tanks_that_join_are_worth_more_except_in_severe_weather() {
    let total = |unit: &str, weather: Weather| {
        let example = Example::new(&EAST, ("USSR-2SH", "1857"), ("GER-4A", "1858"));
        let example = example.assault(&[(unit, "1759")]).weather(weather);
        example.rules.fight_sum(&example.state, &example.fight, 0).total()
    };
    for (weather, is_better) in [(Weather::Fair, true), (Weather::Poor, true), (Weather::Severe, false)] {
        let (tank, other) = (total("USSR-3TK", weather), total("USSR-7A", weather));
        assert_eq!(tank > other, is_better, "{weather:?}: {tank} and {other}");
    }
}

#[test]
fn e14_in_the_desert() {
    let active = [(Country::ITA, Side::Axis), (Country::UK, Side::Western)];
    let mut desert = Example::new(&active, ("UK-WDF", "5853"), ("ITA-10A", "5852")).air([true, true]);
    // Desert is always Fair, whatever the other zones have.
    desert.state.weather = [Weather::Poor, Weather::Poor, Weather::Poor, Weather::Fair];
    desert.gives([3, 2], [0, 0], [5, 3], [8, 5], "DR2");
}

#[test]
fn e16_severe_fort_and_no_supply() {
    Example::new(&EAST, ("GER-PZ2", "3748"), ("USSR-9A", "3848"))
        .assault(&[])
        .friend("USSR-51A", "3749")
        .weather(Weather::Severe)
        .with(primary, 0, Supply::No)
        .gives([2, 0], [3, 1], [6, 5], [1, 3], "AS2");
}

#[test]
fn e19_to_e21_landings() {
    Example::new(&LANDING, ("USA-1A", "ENA"), ("GER-15A", "3216")).landing().air([true, true]).gives(
        [5, 4],
        [0, 0],
        [4, 2],
        [9, 6],
        "DR2",
    );
    Example::new(&LANDING, ("USA-1A", "ENA"), ("GER-15A", "3216"))
        .landing()
        .join(&[("USA-18AB", "3217")])
        .weather(Weather::Poor)
        .air([true, true])
        .gives([2, 3], [0, 0], [3, 3], [5, 6], "NE");
    let mut fort = Example::new(&LANDING, ("USA-5A", "ENA"), ("GER-FW1", "3115")).landing().with(
        defender,
        1,
        Supply::Full,
    );
    fort.state.walls[0] = fort.fight.hex;
    fort.gives([1, 0], [1, 0], [6, 3], [4, 3], "NE");
}

#[test]
fn e22_partisans() {
    let mut marked =
        Example::new(&EAST, ("USSR-2SH", "1857"), ("GER-4A", "1858")).with(defender, 0, Supply::Low);
    marked.state.partisans[0] = (marked.fight.hex, Faction::Soviet);
    marked.gives([1, -1], [0, 0], [5, 4], [6, 3], "DR2");
}

#[test]
fn e23_first_winter() {
    let winter = |turn: u8, hex: &str| {
        let mut winter = Example::new(&EAST, ("USSR-1SH", "1857"), ("GER-19PZ", hex)).weather(Weather::Poor);
        winter.state.turn = turn;
        winter.state.east_turn = turn_of(1941, 6);
        let owner = Owner::Faction(Faction::Soviet);
        let slot = winter.rules.slot(Marker::FirstWinter, owner).expect("a slot");
        winter.state.ready[slot] = 1;
        winter
    };
    winter(turn_of(1941, 12), "1858").gives([-1, 2], [0, 0], [6, 1], [5, 3], "DR2");
    let defender_in = |turn| {
        let winter = winter(turn, "1858");
        winter.rules.fight_sum(&winter.state, &winter.fight, 1).total()
    };
    assert_eq!([1, 2, 3, 4].map(|month| defender_in(turn_of(1942, month))), [2, 2, 2, 3]);
    assert_eq!([defender_in(turn_of(1941, 11)), defender_in(turn_of(1942, 12))], [3, 3]);
    // The Finns know the winter.
    let mut finns = winter(turn_of(1941, 12), "1858");
    let (army, hex) = (finns.rules.world.unit_named("FIN-KAR").expect("a unit"), finns.fight.hex);
    let country = finns.state.country_mut(Country::FIN);
    (country.status, country.side) = (Status::Active, Side::Axis);
    finns.rules.lift(&mut finns.state, finns.fight.defender);
    finns.rules.put(&mut finns.state, army, hex);
    finns.fight.defender = army;
    let sum = finns.rules.fight_sum(&finns.state, &finns.fight, 1);
    assert!(sum.lines().iter().all(|(line, _)| *line != Line::GroundEvents), "{sum:?}");
}

#[test]
fn surprise_counts_for_the_first_attack_of_the_side_that_played_it() {
    let mut attack = Example::new(&POLAND, ("GER-4A", "2731"), ("POL-POM", "2732"));
    attack.state.notes |= note::SURPRISE;
    assert_eq!(attack.rules.fight_sum(&attack.state, &attack.fight, 0).total(), 4);
    attack.state.unit_mut(attack.fight.defender).flags |= crate::state::flag::HIT;
    assert_eq!(attack.rules.fight_sum(&attack.state, &attack.fight, 0).total(), 2);
    attack.state.unit_mut(attack.fight.defender).flags = 0;
    attack.state.acting = Faction::Western;
    assert_eq!(attack.rules.fight_sum(&attack.state, &attack.fight, 0).total(), 2);
}

/// Where the defender may retreat, by name.
fn retreats(example: &Example) -> Vec<String> {
    let mut names: Vec<String> = example
        .rules
        .retreat_hexes(&example.state, &example.fight)
        .map(|hex| example.rules.world.place_name(hex))
        .collect();
    names.sort();
    names
}

#[test]
fn a_retreat_goes_two_hexes_from_the_attackers_and_out_of_every_ezoc() {
    let mut free = Example::new(&EAST, ("GER-4A", "1857"), ("USSR-7A", "1858"));
    assert_eq!(retreats(&free), ["1759", "1859", "1959"]);
    // Another German unit's zone of control, and a friend in the way (ruling 13, stacking).
    free = free.friend("GER-5A", "2059").friend("USSR-8A", "1859");
    assert_eq!(retreats(&free), ["1759"]);
    // A No EZOC marker opens the hex (ruling 14).
    let hex = free.rules.world.hex_named("1959").expect("a hex");
    free.state.no_ezoc[hex.index() / 64] |= 1 << (hex.index() % 64);
    assert_eq!(retreats(&free), ["1759", "1959"]);
    // Neutral ground is closed.
    free.state.control[free.rules.world.hex_named("1759").expect("a hex").index()] = Side::Nobody;
    assert_eq!(retreats(&free), ["1959"]);
}

#[test]
fn a_retreat_into_an_ezoc_needs_a_friendly_city() {
    // Warsaw lies beside 2836; a German unit at 2935 has a zone of control there.
    let city = Example::new(&POLAND, ("GER-4A", "2837"), ("POL-POM", "2836")).friend("GER-5A", "2935");
    assert!(city.rules.ezoc(&city.state, Place::hex(hex(&city, "2835")), Side::Western));
    assert!(retreats(&city).contains(&"2835".to_owned()));
    let mut taken = city;
    let warsaw = hex(&taken, "2835");
    taken.state.control[warsaw] = Side::Axis;
    assert!(!retreats(&taken).contains(&"2835".to_owned()));
}

/// 5.3: a city saves a unit from an EZOC, not from the distance of two to the attackers.
#[test]
fn a_retreat_keeps_its_distance_even_into_a_city() {
    let world = testing::rules().world;
    let near = |name: &str| world.hex(world.hex_named(name).expect("a hex")).near;
    let both = near("2836").into_iter().find(|hex| hex.is_hex() && near("2835").contains(hex));
    let between = world.place_name(both.expect("a hex beside both"));
    let beside = Example::new(&POLAND, ("GER-4A", &between), ("POL-POM", "2836"));
    assert!(!retreats(&beside).contains(&"2835".to_owned()), "{between} is next to Warsaw");
    let away = Example::new(&POLAND, ("GER-4A", "2837"), ("POL-POM", "2836")).friend("GER-5A", &between);
    assert!(retreats(&away).contains(&"2835".to_owned()), "the one at {between} does not attack");
}

/// Ruling 6: Tula is a city in the woods, and counts once.
#[test]
fn r6_a_city_in_rough_ground_counts_once() {
    let example = Example::new(&EAST, ("GER-4A", "2347"), ("USSR-7A", "2348"));
    let hex = example.fight.hex;
    assert!(example.rules.world.hex(hex).terrain.is_rough() && example.rules.has_city(hex));
    let sum = example.rules.fight_sum(&example.state, &example.fight, 0);
    let lines: Vec<i8> =
        sum.lines().iter().filter(|(line, _)| *line == Line::CityOrRough).map(|(_, value)| *value).collect();
    assert_eq!(lines, [-1]);
}

/// 1.4: Air Support reaches five hexes, and not one more.
#[test]
fn air_support_reaches_five_hexes() {
    let mut example = Example::new(&POLAND, ("GER-4A", "2731"), ("POL-POM", "2732"));
    let (rules, hex) = (&example.rules, example.fight.hex);
    let away = |distance: u32| {
        let german = rules.world.cities.iter().filter(|city| city.country == Country::GER && !city.port_only);
        let mut at = german.map(|city| city.hex).filter(|city| rules.world.distance(*city, hex) == distance);
        at.next().map(|city| rules.world.place_name(city)).expect("a German city so far away")
    };
    let (near, far) = (away(rules.world.tables.ranges.support), away(rules.world.tables.ranges.support + 1));
    example.state.fight = example.fight;
    let [first, second] = [("GER-LF1", &near), ("GER-LF2", &far)]
        .map(|(unit, base)| testing::put(&example.rules, &mut example.state, unit, base));
    let mut items = Vec::new();
    example.rules.each_item(&example.state, 0, |item| {
        items.push(item);
        false
    });
    assert!(items.contains(&Choice::Air(first)) && !items.contains(&Choice::Air(second)), "{items:?}");
}

fn hex(example: &Example, name: &str) -> usize {
    example.rules.world.hex_named(name).expect("a hex").index()
}
