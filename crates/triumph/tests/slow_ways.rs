//! A second, slow way to what the rules engine works out fast, written from the rulebook: Trade Routes (14.21), Supply
//! Lines (14.11), destinations (11, 19.2), declarations (R41), and what Rivals may not notice (section 20).

mod slow;

use kernel::{Dice, Discard, Game, LabDice, Mover, Seat, Viewer, Wording};
use slow::eyes::Eyes;
use triumph::{AreaSet, Choice, Deck, Faction, Kind, NONE, Power, Stage, State, Status, Triumph, flag};

/// The name of a choice.
fn name_of(game: &Triumph, state: &State, choice: Choice) -> String {
    let mut name = String::new();
    game.write_name(state, choice, &mut name);
    name
}

/// Plays games at random and shows every position.
fn random_games(
    options: &[(&str, &str)],
    seeds: std::ops::Range<u64>,
    mut look: impl FnMut(&Triumph, &State),
) {
    let options = options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let game = Triumph::with_options(&options).expect("good options");
    let mut listed = Vec::new();
    for seed in seeds {
        let mut dice = LabDice::for_game(17, seed);
        let mut state = game.start();
        for _ in 0..5_000 {
            let choice = match game.mover(&state) {
                Mover::Nobody => break,
                Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
                Mover::Seat(_) => {
                    listed.clear();
                    game.choices(&state, &mut listed);
                    listed[dice.below(listed.len() as u32) as usize]
                }
            };
            look(&game, &state);
            game.apply(&mut state, choice, &mut Discard);
        }
    }
}

const SET_UPS: [&[(&str, &str)]; 3] = [&[], &[("start", "1939")], &[("players", "2")]];

#[test]
fn trade_routes_by_pairs_of_area_and_run() {
    let mut compared = 0;
    for options in SET_UPS {
        random_games(options, 0..4, |game, state| {
            if !matches!(state.stage, Stage::Command | Stage::Government | Stage::Select) {
                return;
            }
            for faction in Faction::ALL {
                let routes = game.rules().trade_routes(state, faction);
                let plain = slow::trade::reached(game, state, faction, false);
                let africa = slow::trade::reached(game, state, faction, true);
                assert_eq!(routes.open, plain, "{faction} without Africa");
                assert_eq!(routes.round_africa, africa, "{faction} round Africa");
                compared += usize::from(state.of(faction).at_war());
            }
        });
    }
    assert!(compared > 200, "too few wars: {compared}");
}

#[test]
fn supply_lines_by_plain_search() {
    let mut cut_off = 0;
    for options in SET_UPS {
        random_games(options, 6..9, |game, state| {
            if !matches!(state.stage, Stage::Command | Stage::Spend) {
                return;
            }
            for faction in Faction::ALL {
                let fast = game.rules().supplied(state, faction);
                for area in 0..triumph::AREAS as u8 {
                    let slow = slow::trade::has_supply_line(game, state, faction, area);
                    assert_eq!(fast.has(area), slow, "{faction}: {}", game.rules().atlas().area(area).name);
                    cut_off += usize::from(!slow);
                }
            }
        });
    }
    assert!(cut_off > 1_000);
}

#[test]
fn destinations_step_by_step() {
    let (mut compared, mut entries) = (0, 0);
    for options in SET_UPS {
        random_games(options, 12..17, |game, state| {
            if state.stage != Stage::Movement || state.turn.declared.is_some() {
                return;
            }
            let eyes = Eyes::of(game, state);
            for block in triumph::blocks_of(state.turn.faction) {
                let unit = &state.blocks[block];
                if !unit.on_map() || unit.is(flag::MOVED) {
                    continue;
                }
                let mut picked = *state;
                (picked.stage, picked.picked) = (Stage::Destination, block as u8);
                let mut listed = Vec::new();
                game.choices(&picked, &mut listed);
                let mut fast: Vec<(u8, u8)> = listed
                    .iter()
                    .filter_map(|choice| match *choice {
                        // Which way an Air Force comes is no matter.
                        Choice::To(to, via) if unit.kind == Kind::AirForce && via != NONE => Some((to, to)),
                        Choice::To(to, via) => Some((to, via)),
                        _ => None,
                    })
                    .collect();
                fast.sort_unstable();
                fast.dedup();
                let slow = eyes.destinations(block);
                let name = |area: &u8| match *area {
                    NONE => "-",
                    area => game.rules().atlas().area(area).id.as_str(),
                };
                let show = |all: &[(u8, u8)], other: &[(u8, u8)]| -> Vec<String> {
                    let missing = all.iter().filter(|goal| !other.contains(goal));
                    missing.map(|(to, via)| format!("{} via {}", name(to), name(via))).collect()
                };
                assert!(
                    fast == slow,
                    "{} {} {unit:?} of {}: only fast {:?}, only slow {:?}; {:?}",
                    Power::of_block(block).map_or("", Power::title),
                    unit.kind.title(),
                    name(&unit.area),
                    show(&fast, &slow),
                    show(&slow, &fast),
                    state.turn,
                );
                compared += 1;
                entries += fast.iter().filter(|(_, via)| *via != NONE).count();
            }
        });
    }
    assert!(compared > 4_000 && entries > 200, "{compared} units, {entries} entries");
}

#[test]
fn declarations_are_offered_exactly_where_a_move_fulfils_them() {
    let (mut wars, mut violations, mut interventions) = (0, 0, 0);
    for options in &SET_UPS[..2] {
        random_games(options, 24..224, |game, state| {
            if state.stage != Stage::Movement || state.turn.declared.is_some() || !state.turn.may_declare {
                return;
            }
            let faction = state.turn.faction;
            let mut listed = Vec::new();
            game.choices(state, &mut listed);
            let owed = |choice: Choice| {
                let mut after = *state;
                game.apply(&mut after, choice, &mut Discard);
                while matches!(after.stage, Stage::Draw(_)) {
                    let card = game.drawn(&after, 0);
                    game.apply(&mut after, card, &mut Discard);
                }
                after.turn.declared.is_some().then(|| {
                    let mut moves = Vec::new();
                    game.choices(&after, &mut moves);
                    let mut all = Vec::new();
                    for choice in moves {
                        let mut picked = after;
                        game.apply(&mut picked, choice, &mut Discard);
                        let mut goals = Vec::new();
                        game.choices(&picked, &mut goals);
                        all.extend(
                            goals
                                .into_iter()
                                .map(|goal| (name_of(game, &after, choice), name_of(game, &picked, goal))),
                        );
                    }
                    all
                })
            };
            let check = |choice: Choice, count: &mut usize| {
                let fulfilled = owed(choice);
                let offered = listed.contains(&choice);
                assert_eq!(
                    offered,
                    fulfilled.is_some(),
                    "{} for {faction}: {fulfilled:?}",
                    name_of(game, state, choice)
                );
                *count += usize::from(listed.contains(&choice));
            };
            for rival in faction.rivals() {
                if !state.at_war(faction, rival) {
                    check(Choice::War(rival), &mut wars);
                }
            }
            let atlas = game.rules().atlas();
            for nation in 0..triumph::NATIONS as u8 {
                let now = state.nation(nation);
                let protected = now.influencer.is_some_and(|other| other != faction && now.markers >= 2)
                    || nation == atlas.usa;
                let colony =
                    now.status == Status::Armed && now.violators.is_empty() && !now.enemies.has(faction);
                if (now.status == Status::Neutral || colony) && !protected {
                    check(Choice::Violate(nation), &mut violations);
                }
                let others = Faction::ALL.into_iter().filter(|other| !state.at_war(faction, *other));
                let strangers =
                    others.fold(AreaSet::EMPTY, |set, other| set.or(state.present[other.index()]));
                let open = now.status == Status::Armed
                    && !now.violators.common(state.of(faction).enemies).is_empty()
                    && !now.enemies.has(faction)
                    && atlas.nation(nation).capital != NONE
                    && state.turn.interventions >> nation & 1 == 0
                    && !strangers.meets(atlas.nation(nation).areas);
                if open {
                    check(Choice::Intervene(nation), &mut interventions);
                }
            }
        });
    }
    assert!(wars > 100 && violations > 500 && interventions > 0, "{wars}, {violations}, {interventions}");
}

/// Two hidden blocks of a Faction that can change places in type and strength.
fn two_hidden(game: &Triumph, state: &State, faction: Faction, dice: &mut LabDice) -> Option<(usize, usize)> {
    let atlas = game.rules().atlas();
    let own = triumph::blocks_of(faction);
    let hidden: Vec<usize> = own
        .filter(|&block| {
            let unit = &state.blocks[block];
            unit.on_map()
                && !unit.is(flag::REVEALED | flag::ESCAPED | flag::MOVED)
                && unit.area < triumph::LANDS as u8
        })
        .collect();
    let fits = |kind: Kind, area: u8, other: usize| {
        let fort =
            || state.own_at(faction, area).any(|(at, unit)| at != other && unit.kind == Kind::Fortress);
        match kind {
            Kind::Fortress => !fort(),
            kind if kind.is_ship() => atlas.area(area).coastal,
            _ => true,
        }
    };
    for _ in 0..20 {
        let one = *hidden.get(dice.below(hidden.len().max(1) as u32) as usize)?;
        let other = *hidden.get(dice.below(hidden.len() as u32) as usize)?;
        let (a, b) = (&state.blocks[one], &state.blocks[other]);
        let same_power = Power::of_block(one) == Power::of_block(other);
        if same_power
            && (a.kind, a.cv) != (b.kind, b.cv)
            && fits(a.kind, b.area, other)
            && fits(b.kind, a.area, one)
        {
            return Some((one, other));
        }
    }
    None
}

#[test]
fn what_is_hidden_can_be_swapped_and_nobody_notices() {
    let mut swaps = [0_usize; 3];
    for options in SET_UPS {
        let mut dice = LabDice::new(5);
        random_games(options, 48..56, |game, state| {
            if state.stage == Stage::Over || dice.below(4) != 0 {
                return;
            }
            let owner = Faction::at(dice.below(3) as usize);
            let mut swapped = *state;
            let what = dice.below(3) as usize;
            let done = match what {
                0 => two_hidden(game, state, owner, &mut dice).is_some_and(|(one, other)| {
                    let (a, b) = (state.blocks[one], state.blocks[other]);
                    (swapped.blocks[one].kind, swapped.blocks[one].cv) = (b.kind, b.cv);
                    (swapped.blocks[other].kind, swapped.blocks[other].cv) = (a.kind, a.cv);
                    true
                }),
                1 => {
                    let deck = Deck::ALL[dice.below(2) as usize] as usize;
                    let (hand, rest) = (state.of(owner).hand[deck], state.deck[deck]);
                    let low = |mask: u64| mask & mask.wrapping_neg();
                    let swap = low(hand) | low(rest);
                    if hand != 0 && rest != 0 {
                        swapped.of_mut(owner).hand[deck] ^= swap;
                        swapped.deck[deck] ^= swap;
                    }
                    hand != 0 && rest != 0
                }
                _ => {
                    let had = (0..3).find(|value| state.of(owner).chits[*value] > 0);
                    let got = (0..3).rev().find(|value| state.cup[*value] > 0);
                    match (had, got) {
                        (Some(had), Some(got)) if had != got => {
                            let own = swapped.of_mut(owner);
                            own.chits[had] -= 1;
                            own.chits[got] += 1;
                            swapped.cup[had] += 1;
                            swapped.cup[got] -= 1;
                            true
                        }
                        _ => false,
                    }
                }
            };
            if !done {
                return;
            }
            swaps[what] += 1;
            let seats = game.seats().len();
            let others = (0..seats).map(|at| Viewer::Seat(Seat(at as u8))).chain([Viewer::Spectator]);
            for viewer in others.filter(|viewer| *viewer != Viewer::Seat(game.rules().seat_of(owner))) {
                let kind = ["blocks", "cards", "chits"][what];
                assert!(
                    game.view(state, viewer) == game.view(&swapped, viewer),
                    "{viewer:?} notices swapped {kind} of {owner} in {:?}",
                    state.stage
                );
                assert_eq!(game.prompt(state).waiting, game.prompt(&swapped).waiting);
                if matches!(game.mover(state), Mover::Seat(seat) if Viewer::Seat(seat) == viewer) {
                    let (mut one, mut other) = (Vec::new(), Vec::new());
                    game.choices(state, &mut one);
                    game.choices(&swapped, &mut other);
                    assert_eq!(one, other, "offers to {viewer:?} in {:?}", state.stage);
                }
            }
        });
    }
    assert!(swaps.iter().all(|count| *count > 300), "{swaps:?}");
}
