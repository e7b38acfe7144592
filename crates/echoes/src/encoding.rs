//! How a position is written into the digests of a save: the order of fields and the numbers of variants, fixed for good.
//!
//! What stands here is part of every stored match. A new variant takes a new number; a new field of [`State`] comes under
//! `later`, with the value that older matches have (see [`kernel::encode_struct`]). Nothing else may change.

use kernel::{encode_enum, encode_struct};

use crate::book::Verdict;
use crate::ids::{Region, Regions, Side};
use crate::state::{AskedUntil, Phase, State};

encode_enum!(Side {
    0 = Allies,
    1 = Axis,
});

encode_enum!(Region {
    0 = Wf,
    1 = Ef,
    2 = Sf,
    3 = Chn,
    4 = Pac,
    5 = Isl,
});

encode_struct!(Regions[bits]);

encode_struct!(AskedUntil[turn]);

encode_enum!(Phase {
    0 = Chart,
    1 = BoxDie,
    2 = AttackDie,
    3 = RerollDie,
    4 = BranchDie,
    5 = ConflictAllies,
    6 = ConflictAxis,
    7 = ConfidenceDie,
    8 = Action,
    9 = FreeAttack,
    10 = PickAdvance,
    11 = PickOption,
    12 = Opened,
    13 = BeforeAttack,
    14 = BeforeConflict,
    15 = AfterAttack,
    16 = Over,
    17 = Halted,
    18 = AfterConflict,
    19 = BeforeTest,
    20 = BeforePick,
    21 = BeforeLoss,
});

encode_enum!(Verdict {
    0 = AlliedMajor,
    1 = AlliedMinor,
    2 = Draw,
    3 = Axis,
    4 = AxisMinor,
    5 = AxisMajor,
    6 = AlliedImmediate,
    7 = AxisImmediate,
    8 = ConfidenceFailure,
});

encode_struct!(State {
    x,
    events,
    pc,
    marks,
    pos,
    tracks,
    attacks,
    turn,
    tow_left,
    tow_used,
    phase,
    in_box,
    event,
    left,
    candidates,
    attacker,
    region,
    modifier,
    die,
    verdict,
} later {
    1 => asked_until: AskedUntil(0),
});
