//! How a position is written into the digests of a save: the order of fields and the numbers of variants, fixed for good.
//!
//! What stands here is part of every stored match. A new variant takes a new number; a new field of [`State`] comes under
//! `later`, with the value that older matches have (see [`kernel::encode_struct`]). Nothing else may change.

use kernel::{encode_enum, encode_struct};

use crate::areas::AreaSet;
use crate::cards::{Card, Deck, Tech};
use crate::factions::{Faction, Parties};
use crate::stage::{After, Leaving, Stage};
use crate::state::{
    Battle, Block, Declared, FactionState, NationState, Part, Spending, State, Status, Turn, VaultPair,
    Verdict,
};
use crate::units::Kind;

encode_struct!(AreaSet[words]);
encode_struct!(Parties[bits]);
encode_struct!(Card[number]);
encode_enum!(Faction { 0 = Axis, 1 = West, 2 = Ussr });
encode_enum!(Deck { 0 = Action, 1 = Investment });
encode_enum!(Kind {
    0 = Fortress,
    1 = AirForce,
    2 = Carrier,
    3 = Submarine,
    4 = Fleet,
    5 = Tank,
    6 = Infantry,
});
encode_enum!(Tech {
    0 = AirDefenseRadar,
    1 = NavalRadar,
    2 = Sonar,
    3 = HeavyBombers,
    4 = HeavyTanks,
    5 = RocketArtillery,
    6 = Lsts,
    7 = Jets,
    8 = PrecisionBombsight,
    9 = MotorizedInfantry,
    10 = Atomic1,
    11 = Atomic2,
    12 = Atomic3,
    13 = Atomic4,
});
encode_enum!(Status {
    0 = Neutral,
    1 = Armed,
    2 = Satellite,
    3 = Conquered,
    4 = Belongs,
    5 = Defeated,
});
encode_enum!(Part {
    0 = NewYear,
    1 = Spring,
    2 = Summer,
    3 = Fall,
    4 = Winter,
});
encode_enum!(Declared { 0 = War(faction), 1 = Violation(nation), 2 = Intervention(nation) });
encode_enum!(Verdict {
    0 = Economic(faction),
    1 = Military(faction),
    2 = Atomic(faction),
    3 = Hegemony(faction),
    4 = Shared(parties),
});
encode_enum!(After {
    0 = SetUp,
    1 = ShortStart,
    2 = ShortPlays,
    3 = Production,
    4 = Government,
    5 = HandSize,
    6 = Movement,
    7 = Intervention,
});
encode_enum!(Leaving {
    0 = Round,
    1 = Sea,
    2 = Combat,
    3 = Supply,
    4 = Convoys,
});
encode_enum!(Stage {
    0 = SetUp(at),
    1 = Draw(after),
    2 = Chit(faction, left),
    3 = TurnOrder,
    4 = ActiveAlly,
    5 = SetAside(faction, deck, left),
    6 = Arrival(at),
    7 = Spend,
    8 = Step,
    9 = Build,
    10 = BuildAt,
    11 = Government,
    12 = FreePlay(left),
    13 = Pay(laid),
    14 = DoubleAgent(card, player, target, place),
    15 = Turned(card, holder, player),
    16 = Mole(card, user, target),
    17 = SpyDeck(by, target),
    18 = SpyCard(by, target, deck),
    19 = Muster(after),
    20 = Discard,
    21 = Command,
    22 = SecondCard,
    23 = Tie(faction, tied),
    24 = Movement,
    25 = Destination,
    26 = WarCard(rival),
    27 = Protectorate(nation, protector),
    28 = Fight(area),
    29 = Select,
    30 = Against(area),
    31 = Group,
    32 = Vault(faction),
    33 = Action(faction),
    34 = Dice,
    35 = Hit(faction),
    36 = AfterStrike,
    37 = Rebase,
    38 = Leave(faction, why),
    39 = Escape(faction),
    40 = Winter,
    41 = Over,
});
encode_struct!(Block { area, kind, cv, flags, from, origin });
encode_struct!(NationState { status, influencer, markers, violators, enemies, holder });
encode_struct!(VaultPair { tech, cards });
encode_struct!(FactionState {
    ind,
    raises,
    factory_level,
    declared,
    enemies,
    chits,
    fought,
    techs,
    stage_year,
    vault,
    hand,
    in_play,
    second_end,
    kept,
    committed,
    due,
    stack,
});
encode_struct!(Turn {
    faction,
    moves,
    emergency,
    defensive,
    may_declare,
    surprise,
    declared,
    interventions,
    aggression,
    battles,
    open,
    ask,
});
encode_struct!(Battle { area, against, round, kind, second, firing, striking, class, hits, entries, asked });
encode_struct!(Spending { points, steps, cadres, cards, level });
encode_struct!(State {
    blocks,
    counts,
    present,
    escaped,
    control,
    arrivals,
    nations,
    armed,
    factions,
    deck,
    discard,
    cup,
    crossed,
    marks,
    muster,
    year,
    part,
    order,
    turns,
    stage,
    at,
    passes,
    turn,
    battle,
    spending,
    picked,
    usa_groups,
    usa_forced,
    active_ally,
    passive_full,
    verdict,
});
