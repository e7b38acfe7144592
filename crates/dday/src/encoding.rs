//! How a position is written into the digests of a save: the order of fields and the numbers of variants, fixed for good.
//!
//! What stands here is part of every stored match. A new variant takes a new number; a new field of [`State`] comes under
//! `later`, with the value that older matches have (see [`kernel::encode_struct`]). Nothing else may change.

use kernel::{encode_enum, encode_struct};

use crate::scenario::Side;
use crate::state::{Action, After, Battalion, Begun, Fire, Job, Stage, State, Task, Verdict, Zone};
use crate::tables::Activation;
use crate::units::Units;

encode_enum!(Side {
    0 = First,
    1 = Second,
});

encode_enum!(Activation {
    0 = None,
    1 = Hold,
    2 = Fallback,
    3 = Full,
    4 = Double,
});

encode_enum!(Stage {
    0 = Initiative,
    1 = Order,
    2 = Supports,
    3 = Recovery,
    4 = RecoveryZone,
    5 = Rally,
    6 = RallyDie,
    7 = RallyVoice,
    8 = RallyPick,
    9 = RallyZone,
    10 = Movement,
    11 = Group,
    12 = ActivationDie,
    13 = Fallback,
    14 = March,
    15 = Demolition,
    16 = DemolitionDie,
    17 = Turning,
    18 = Engineering,
    19 = EngineeringDie,
    20 = Combat,
    21 = StrikeDie,
    22 = StrikeSave,
    23 = RangedTarget,
    24 = RangedFire,
    25 = RangedDie,
    26 = RangedSave,
    27 = RangedResult,
    28 = GunnerSave,
    29 = GunnerResult,
    30 = LimitedAdvance,
    31 = LimitedGroup,
    32 = AssaultLead,
    33 = AssaultForce,
    34 = AssaultAnswer,
    35 = AssaultFire,
    36 = AssaultDie,
    37 = DefenderSave,
    38 = AttackerSave,
    39 = Retreat,
    40 = Advance,
    41 = AdvanceMarch,
    42 = NewAssault,
    43 = Airdrop,
    44 = NightDie,
    45 = NightMoves,
    46 = Raids,
    47 = Over,
    48 = Interdiction,
});

encode_enum!(After {
    0 = Fallback,
    1 = Fire,
    2 = Gunner,
    3 = Won,
    4 = Repulsed,
});

encode_enum!(Task {
    0 = Prepare,
    1 = Bridge,
    2 = Repair,
    3 = Blow,
    4 = Mine,
    5 = ClearMines,
    6 = Block,
    7 = ClearRoad,
});

encode_enum!(Verdict {
    0 = AggressorBreak,
    1 = AggressorSudden,
    2 = AggressorPoints,
    3 = DefenderBreak,
    4 = DefenderPoints,
    5 = DrawPoints,
    6 = DrawBroken,
});

encode_struct!(Units[bits]);

encode_struct!(Battalion { zone, marks, next, mp, result, unsupplied });

// A facing is the number of eighths of a turn clockwise from north.
encode_struct!(Zone { top, owner, controls, facing = facing.index() as u8, works, spans });

encode_struct!(Fire { guns, corps, air });

encode_struct!(Job { unit, task, zone });

encode_struct!(Action {
    lead,
    foe,
    from,
    to,
    group,
    joined,
    fire,
    steps,
    road,
    begun,
    stopped,
    by_road,
    queue,
    threat,
    after,
    passing,
    passed,
    passes,
    breakthrough,
    chain,
    through,
    job,
});

encode_struct!(Begun { from, south, when });

encode_struct!(State {
    units,
    zones,
    act,
    begun,
    crossed,
    held,
    wired,
    spared,
    raided,
    markers,
    tally,
    art,
    air,
    air_lost,
    rerolls,
    turn,
    clock,
    stage,
    side,
    first,
    night,
    die,
    dice,
    verdict,
});
