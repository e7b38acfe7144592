//! How a position is written into the digests of a save: the order of fields and the numbers of variants, fixed for good.
//!
//! What stands here is part of every stored match. A new variant takes a new number; a new field of [`State`] comes under
//! `later`, with the value that older matches have (see [`kernel::encode_struct`]). Nothing else may change.

use kernel::{encode_enum, encode_struct};

use crate::layout::Effect;
use crate::state::{BotDesk, Phase, Placing, Stage, State, Verdict};
use crate::stratagem::Stratagem;
use crate::units::{Kind, Side};

encode_enum!(Side {
    0 = First,
    1 = Second,
});

encode_enum!(Kind {
    0 = Army1,
    1 = Army2,
    2 = Army3,
    3 = General,
    4 = Navy1,
    5 = Navy2,
    6 = Navy3,
    7 = Admiral,
    8 = BlitzAir0,
    9 = Air1,
    10 = Air2,
    11 = Godzilla,
    12 = EliteArmy,
    13 = EliteNavy,
    14 = EliteAirforce,
    15 = BlitzArmy,
    16 = BlitzNavy,
    17 = BlitzAirforce,
    18 = BomberArmy,
    19 = BomberNavy,
    20 = BomberAirforce,
    21 = TaskArmy,
    22 = TaskNavy,
    23 = TaskAirforce,
    24 = Nuclear,
    25 = Scientist,
    26 = Spy,
});

encode_enum!(Effect {
    0 = None,
    1 = Production,
    2 = ImprovedProduction,
    3 = Research,
    4 = ImprovedResearch,
    5 = ResearchIndustry,
    6 = Bombing,
    7 = Tactical,
    8 = Strategic,
    9 = Propaganda,
});

encode_enum!(Stratagem {
    0 = BigGuns,
    1 = Counterattack,
    2 = EconomicWarfare,
    3 = ForTheGlory,
    4 = RapidDeployment,
    5 = ResearchDevelopment,
    6 = Secure,
    7 = Steamroll,
});

encode_enum!(Phase {
    0 = Deal,
    1 = Difficulty,
    2 = NameTheatre,
    3 = StartCity,
    4 = Stratagem,
    5 = UnitDie,
    6 = Place,
    7 = Blitz,
    8 = Draw,
    9 = Research,
    10 = Hit,
    11 = BombRow,
    12 = Strategic,
    13 = Open,
    14 = Over,
});

encode_enum!(Stage {
    0 = SetUp,
    1 = Ready,
    2 = Effect,
    3 = Ability,
    4 = Marker,
    5 = Collect,
    6 = Opening,
    7 = Follow,
    8 = TurnDraw,
});

encode_enum!(Verdict {
    0 = FirstPoints,
    1 = SecondPoints,
    2 = SecondTie,
    3 = SecondStuck,
    4 = FirstStuck,
});

encode_struct!(Placing { kind, space, strength, effect, left, collect, campaign });

encode_struct!(BotDesk { cup, previous, in_force, space, units });

encode_struct!(State {
    phase,
    stage,
    side,
    turn,
    vp,
    tracks,
    active,
    open,
    closed,
    occupied,
    available,
    units,
    hands,
    bags,
    pile,
    last,
    spy_as,
    placing,
    bot,
    verdict,
});
