//! How positions are written for digests.

use kernel::{encode_enum, encode_struct};

use crate::frame::Frame;
use crate::state::SupplyCheck;
use crate::state::{
    Activation, Commitment, CountryState, Duel, Errand, Fight, Manner, Mission, MissionStep, Occasion, Phase,
    Stage, State, Status, Supply, Unit,
};

encode_enum!(Supply { 0 = Full, 1 = Low, 2 = No });
encode_enum!(Status { 0 = Neutral, 1 = Active, 2 = Conquered, 3 = Pending, 4 = Absent });
encode_enum!(Phase {
    0 = Weather, 1 = DeclareWar, 2 = Economy, 3 = Strategic, 4 = Rail, 5 = Actions, 6 = Supply, 7 = NoSupply,
    8 = Replacements, 9 = Upgrade, 10 = Mobilization, 11 = Diplomacy, 12 = Victory, 13 = EndOfTurn,
});
encode_enum!(Commitment { 0 = Open, 1 = Will, 2 = WillNot });
encode_enum!(Manner { 0 = Mobile, 1 = Assault, 2 = Landing });
encode_enum!(Stage { 0 = Tricks, 1 = Commit, 2 = Items, 3 = Air, 4 = Dice, 5 = Result, 6 = Over });
encode_enum!(Occasion { 0 = AirSupport, 1 = Strike, 2 = Escort, 3 = Interdiction });
encode_enum!(Errand { 0 = None, 1 = Sail, 2 = Transport, 3 = Invasion, 4 = Bombing, 5 = Airdrop, 6 = Link });
encode_enum!(MissionStep {
    0 = Escort, 1 = Intercept, 2 = Guarded, 3 = Exposed, 4 = Attacked, 5 = Effect, 6 = Ashore, 7 = Over,
});
encode_struct!(Unit { place, level, supply, flags });
encode_struct!(CountryState { status, side, will, points, pro, extra, fates });
encode_struct!(Activation { unit, points, begun });
encode_struct!(SupplyCheck { step, source, fed, convoy, ends });
encode_struct!(Fight {
    stage,
    manner,
    primary,
    more,
    defender,
    hex,
    will,
    air,
    markers,
    support,
    naval_support,
    passes,
    naming,
    dice,
    result,
    vacated
});
encode_struct!(Duel { occasion, units, hex, zone, markers, dice, result });
encode_struct!(Mission {
    errand,
    unit,
    passenger,
    from,
    to,
    path,
    escort,
    interceptor,
    zone,
    asked,
    escort_failed,
    fought,
    interdicted,
    more,
    step
});
encode_enum!(Frame {
    0 = Flow, 1 = Fight, 2 = Duel, 3 = Mission, 4 = Check(a), 5 = Collapse(a), 6 = Conquest(a, b),
    10 = WeatherDie(a), 11 = PactDie, 12 = InfluenceDie(a), 13 = StrategicDie(a, b, c), 14 = FightDie(a), 15 = DuelDie(a),
    16 = DrawMarker(a), 17 = FailureDie(a), 18 = CoupDie(a, b), 19 = KareliaDie, 20 = AreaDie(a), 21 = FleetDie(a),
    22 = EntryDie(a),
    30 = EvaluatePact, 31 = EndPact, 32 = Declare(a), 33 = Influence(a), 34 = LendLease, 35 = Relocate, 36 = Rail(a),
    37 = RailTo(a), 38 = Actions(a), 39 = Activation, 40 = Advance, 41 = Primary(a), 42 = Additional, 43 = AdvanceOne,
    44 = Trick(a), 45 = Commit(a), 46 = Item(a), 47 = DuelItem(a), 48 = Fort, 49 = Retreat, 50 = Evacuate(a),
    51 = RebaseTo(a), 52 = SailTo(a), 53 = Passenger(a), 54 = TransportTo, 55 = InvadeWith(a), 56 = InvadeAt,
    57 = LandingMore, 58 = StrikeAt(a), 59 = BombAt(a), 60 = DropFrom(a), 61 = DropAt, 62 = Escort, 63 = Intercept(a),
    64 = CallOff, 65 = Press, 66 = Mulberry, 67 = Link(a), 68 = LinkTo(a), 69 = Feed(a), 70 = AirSupply(a),
    71 = Replace(a), 72 = Mobilize(a), 73 = MobilizeAt(a), 74 = Diplomacy(a), 75 = Coup(a), 76 = FinlandWar,
    77 = BalticPro(a), 78 = ProMarker(a, b), 79 = PlaceAir(a), 80 = Emergency(a), 81 = EmergencyAt(a, b), 82 = Over,
});
encode_struct!(State {
    units,
    ground,
    bases,
    control,
    countries,
    no_ezoc,
    ready,
    spent,
    cup,
    holding,
    bombed,
    closed,
    partisans,
    walls,
    mulberry,
    turn,
    phase,
    acting,
    next,
    weather,
    war_west,
    war_east,
    evaluations,
    events,
    notes,
    east_turn,
    usa_turn,
    surprise,
    fac_lost,
    relocating,
    ceded,
    vichy,
    landings,
    railed,
    history,
    collapsing,
    last_blow,
    activation,
    fight,
    duel,
    mission,
    check,
    frames,
    depth,
    verdict
} later {
    1 => standing: 0
});
