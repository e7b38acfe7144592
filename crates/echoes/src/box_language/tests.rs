use super::*;
use crate::ids::{Conflict, Region, Track};

const SPACES: [u8; 6] = [5, 5, 5, 3, 5, 5];
const TITLES: [&str; 3] = ["Fall of France", "Barbarossa", "Leap-frog"];

fn parse(text: &str) -> Result<(BoxText, Problems), Problems> {
    parse_alone(text, Side::Allies, &TITLES, SPACES)
}

#[track_caller]
fn clean(text: &str) -> BoxText {
    match parse(text) {
        Ok((parsed, problems)) if problems.is_empty() => parsed,
        Ok((_, problems)) | Err(problems) => panic!("{problems}"),
    }
}

/// The instructions of the Allies in a text without problems.
#[track_caller]
fn allies(text: &str) -> Vec<InstrKind> {
    clean(text).body.allies.into_iter().map(|instr| instr.kind).collect()
}

/// Everything that is wrong with a text: severity and sentence of each.
fn wrong(text: &str) -> Vec<String> {
    let problems = match parse(text) {
        Ok((_, problems)) | Err(problems) => problems,
    };
    problems.list().iter().map(|problem| problem.what.clone()).collect()
}

#[test]
fn an_event_box_reads_as_printed() {
    let text = "Event 1941–43: Allies first. Axis: ADV EF. Attack EF x2.\nAllies: 1 Action.\nALTERNATE: axis: attack ef.";
    let parsed = clean(text);
    let event = parsed.event.unwrap();
    assert_eq!((event.years, event.body.first), (1941..=1943, Some(Side::Allies)));
    let attack = InstrKind::Attack { regions: vec![Region::Ef; 2], modifier: 0 };
    assert_eq!(event.body.axis[1].kind, attack);
    assert_eq!(&text[event.body.axis[1].span.clone()], "Attack EF x2");
    assert_eq!(event.body.allies[0].kind, InstrKind::Actions(1));
    assert_eq!(parsed.body.axis[0].kind, InstrKind::Attack { regions: vec![Region::Ef], modifier: 0 });
    assert!(parsed.body.allies.is_empty() && parsed.body.first.is_none());
}

#[test]
fn every_simple_instruction() {
    use InstrKind::*;
    use Region::*;
    let text = "Allies: None. Skip, ADV WF, SF. ADV 2 on EF and ISL. ADV 1 of PA, IS or CH. \
                Attack WF, SF at +2. 2 Attacks on PAC, ISL at −1. 1 Attack. 3 actions, +2 EMT, +1 usa. \
                Extra TOW. +1 TOW. -2 TOW. Major Conflict Europe.";
    let expected = vec![
        Nothing,
        Nothing,
        Advance(vec![Wf, Sf]),
        Advance(vec![Ef, Ef, Isl, Isl]),
        AdvanceOf { count: 1, regions: vec![Pac, Isl, Chn] },
        Attack { regions: vec![Wf, Sf], modifier: 2 },
        FreeAttacks { count: 2, regions: vec![Pac, Isl], modifier: -1 },
        FreeAttacks { count: 1, regions: Region::ALL.to_vec(), modifier: 0 },
        Actions(3),
        Mark { track: Track::Emt, count: 2 },
        Mark { track: Track::Usa, count: 1 },
        Tow(1),
        Tow(1),
        Tow(-2),
        Major(Conflict::Europe),
    ];
    assert_eq!(allies(text), expected);
}

#[test]
fn a_comma_before_a_region_goes_on_with_the_list_and_any_other_starts_an_instruction() {
    let kinds = allies("Allies: Attack WF, EF, +1 EMT, ADV SF.");
    assert_eq!(kinds.len(), 3);
    assert_eq!(kinds[0], InstrKind::Attack { regions: vec![Region::Wf, Region::Ef], modifier: 0 });
}

#[test]
fn signs_that_people_type_for_words_are_read() {
    let regions = vec![Region::Wf, Region::Wf, Region::Ef];
    assert_eq!(allies("Allies: ADV WF ×2 & EF."), [InstrKind::Advance(regions)]);
    assert_eq!(
        wrong("Axis: Attack WF / EF. Assault SF."),
        ["the box language has no use for \"/\"", "unknown word \"Assault\""]
    );
}

#[test]
fn two_blocks_of_a_side_are_joined() {
    let parsed = clean("Axis: ADV WF. Allies: 1 Action. Axis: ADV EF.");
    assert_eq!((parsed.body.axis.len(), parsed.body.allies.len()), (2, 1));
}

#[test]
fn rolls_map_faces_to_branches() {
    let kinds = allies("Allies: Roll 1d6: 1-2 ADV WF then +1 EMT; 4 -1 TOW; 5 - 6 none.");
    let InstrKind::Roll { faces, branches } = &kinds[0] else { panic!("{kinds:?}") };
    assert_eq!(*faces, [Some(0), Some(0), None, Some(1), Some(2), Some(2)]);
    assert_eq!(branches.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 1]);
    assert_eq!(branches[1][0].kind, InstrKind::Tow(-1));
}

#[test]
fn a_semicolon_belongs_to_the_innermost_open_instruction_of_its_kind() {
    // else after a Roll inside an In: the Roll is closed, the In takes it.
    let kinds = allies("Allies: In 1943-45: Roll 1d6: 1-2 ADV WF; 3-6 none; else 2 Actions.");
    let InstrKind::If { then, otherwise, .. } = &kinds[0] else { panic!("{kinds:?}") };
    assert!(matches!(&then[0].kind, InstrKind::Roll { branches, .. } if branches.len() == 2));
    assert_eq!(otherwise[0].kind, InstrKind::Actions(2));
    // Two Ifs: the inner one takes the first else, the outer one the second.
    let kinds = allies("Allies: If EMT even: If PMT even: ADV WF; else ADV EF; else ADV SF.");
    let InstrKind::If { then, otherwise, .. } = &kinds[0] else { panic!("{kinds:?}") };
    assert!(matches!(&then[0].kind, InstrKind::If { otherwise, .. } if otherwise.len() == 1));
    assert_eq!(otherwise[0].kind, InstrKind::Advance(vec![Region::Sf]));
    // A bracket keeps the inner Roll's semicolons to itself.
    let kinds = allies("Allies: Roll 1d6: 1-3 (Roll 1d6: 1 ADV WF; 2-6 none); 4-6 ADV EF.");
    assert!(matches!(&kinds[0], InstrKind::Roll { faces: [_, _, _, Some(1), ..], .. }));
}

#[test]
fn options_keep_their_words() {
    let kinds = allies("Allies: Choose: +1 EMT\n  then 1 Action; or (2 Attacks then ADV WF); or none.");
    let InstrKind::Choose(options) = &kinds[0] else { panic!("{kinds:?}") };
    let words: Vec<_> = options.iter().map(|option| option.words.as_str()).collect();
    assert_eq!(words, ["+1 EMT then 1 Action", "(2 Attacks then ADV WF)", "none"]);
    assert_eq!(options[1].instrs.len(), 2);
}

#[test]
fn every_condition() {
    use Condition::*;
    let text = "Allies: If WF at 3 and EF at 2 or more and SF at 1 or less and VP 20 or more and USA in Europe \
                and USA not in Europe and EMT even and Axis lead PMT and Allies leads EMT and Axis hold WF capital \
                and Allies holds any capital and event \"barbarossa\" done and event “Fall  of France” not done: ADV WF.";
    let kinds = allies(text);
    let InstrKind::If { conditions, .. } = &kinds[0] else { panic!("{kinds:?}") };
    let at = text.find("\"barb").unwrap();
    let quoted = text.find('“').unwrap()..text.find('”').unwrap() + '”'.len_utf8();
    let expected = [
        Space(Region::Wf, 3..=3),
        Space(Region::Ef, 2..=5),
        Space(Region::Sf, 0..=1),
        Vp(20..=255),
        UsaInEurope(true),
        UsaInEurope(false),
        Even(Track::Emt),
        Leads(Side::Axis, Track::Pmt),
        Leads(Side::Allies, Track::Emt),
        Holds(Side::Axis, Some(Region::Wf)),
        Holds(Side::Allies, None),
        EventDone { title: "Barbarossa".into(), done: true, span: at..at + 12 },
        EventDone { title: "Fall of France".into(), done: false, span: quoted },
    ];
    assert_eq!(conditions[..], expected);
}

#[test]
fn all_errors_of_a_text_are_found_at_once_and_each_once() {
    let text = "Event 1943-1941: Axis: Assault WF. ADV QQ, EF. Roll 1d6: 1-3 ADV WF; 3-4 ADV EF. Attack WF\n\
                Alternate: Allies: 99 Actions. (ADV WF. 1 Action. -1 EMT.";
    assert_eq!(
        wrong(text),
        [
            "the years run backwards, from 1943 to 1941",
            "unknown word \"Assault\"",
            "unknown word \"QQ\"",
            "the result 3 already belongs to an earlier branch",
            "the sentence has no full stop",
            "\"99\" is out of range",
            "this bracket is not closed",
            "marks can't be taken away",
        ]
    );
}

#[test]
fn limits_are_refused_with_the_limit_named() {
    for (text, expected) in [
        ("Allies: 0 Actions.", "from 1 to 20"),
        ("Allies: ADV 21 on WF.", "from 1 to 20"),
        ("Allies: Attack WF x0.", "x1 to x9"),
        ("Allies: Attack WF at +7.", "-6 to +6"),
        ("Allies: +10 EMT.", "+1 EMT to +9 EMT"),
        ("Allies: -1 EMT.", "other side's row"),
        ("Allies: +7 TOW.", "+1 to +6"),
        ("Allies: Roll 1d6: 7 none.", "from 1 to 6"),
        ("Allies: Roll 2d6: 1 none.", "1d6"),
        ("Allies: If CHN at 4: ADV WF.", "0 to 3"),
        ("Allies: If VP 100: ADV WF.", "0 to 99"),
        (
            "Allies: Choose: none; or none; or none; or none; or none; or none; or none; or none; or none.",
            "8 options",
        ),
        ("Allies: ADV 20 on WF x9, EF x9, SF x9.", "at most 400"),
        ("Allies: 99999999999999999999 Actions.", "from 1 to 20"),
    ] {
        let problems = parse(text).expect_err(text).to_string();
        assert!(problems.contains(expected), "{text}\n{problems}");
    }
    assert!(
        parse(&"Allies: None. ".repeat(300)).unwrap_err().to_string().contains("at most 4000 characters")
    );
}

#[test]
fn nesting_is_bounded() {
    let nested = |deep: usize| format!("Allies: {}ADV WF{}.", "(".repeat(deep), ")".repeat(deep));
    assert!(parse(&nested(16)).is_ok());
    assert!(parse(&nested(17)).unwrap_err().to_string().contains("at most 16 deep"));
    assert!(parse(&nested(1_990)).is_err());
    assert!(parse(&format!("Allies: {}ADV WF.", "If EMT even: ".repeat(300))).is_err());
}

#[test]
fn warnings_do_not_stop_a_box() {
    for (text, what) in [
        ("Event 1941: Axis: ADV WF.", "no Alternate"),
        ("Axis: 2 Actions.", "its Actions are all attacks"),
        ("Axis: Choose: ADV WF; or ADV EF.", "always takes the first"),
        ("Allies: Attack WF x2. If EMT even: Attack WF.", "more than two attacks on WF"),
        ("Allies: In 1939-1941: ADV WF.", "from 1940 to 1945"),
        ("Allies: ADV WF or EF.", "means \"and\""),
        ("Allies: ADV 1 of WF, WF, EF.", "WF counts only once"),
        ("Allies: 2 Attacks on WF x2.", "WF counts only once"),
        ("Allies: ADV 3 of WF, EF.", "only 2 can be chosen"),
        ("  ", "the box is empty"),
    ] {
        let (_, problems) = parse(text).expect(text);
        assert_eq!(problems.list().len(), 1, "{text}\n{problems}");
        assert!(problems.to_string().contains(what), "{text}\n{problems}");
    }
    assert_eq!(wrong("Allies: Attack WF x2. Axis: Attack WF x3."), [""; 0]);
    assert_eq!(wrong("Allies: Roll 1d6: 1-3 Attack WF x2; 4-6 Attack WF x2."), [""; 0]);
}

#[test]
fn the_bot_has_no_tide_of_war() {
    assert!(parse("Axis: Roll 1d6: 1 Extra TOW.").is_err());
    assert!(parse_alone("Axis: Extra TOW.", Side::Axis, &TITLES, SPACES).is_ok());
}

#[test]
fn orders_count_for_their_body_and_must_agree() {
    assert_eq!(
        wrong("Allies first. Axis first. Axis: ADV WF."),
        ["\"Axis first\" contradicts \"Allies first\""]
    );
    assert_eq!(
        wrong("Event 1941: Allies first. Axis: ADV WF. Alternate: Axis first. Axis: ADV EF."),
        [""; 0]
    );
}

#[test]
fn a_forgotten_colon_or_stop_is_one_error() {
    assert_eq!(wrong("Axis Attack WF. Allies: 1 Action."), ["there is no colon after Axis"]);
    assert_eq!(wrong("Axis: Attack WF. Allies 1 Action."), ["there is no colon after Allies"]);
    assert_eq!(wrong("Axis: Attack WF Allies: 1 Action."), ["the sentence has no full stop"]);
    assert_eq!(wrong("Axis: Attack WF"), ["the sentence has no full stop"]);
    assert_eq!(wrong("Axis: Attack WF ADV EF."), ["two instructions are not separated"]);
    assert_eq!(wrong("Attack WF. ADV EF. Allies: 1 Action."), ["no side is named for this"]);
    assert_eq!(wrong("Event: Axis: ADV WF. Alternate: Axis: None."), ["unexpected \":\""]);
    assert_eq!(wrong("Axis: ADV WF. Alternate: Axis: None."), ["there is an Alternate but no Event"]);
    assert_eq!(
        wrong("Axis: ADV WF. Event 1941: Axis: None."),
        ["an Event must stand at the start of the box"]
    );
}
