//! The fold, entry by entry.

use store::AccountId;

use super::*;

/// A table at which entries are told one after the other, a second apart.
struct Told {
    proceedings: Proceedings,
    seq: u32,
}

impl Told {
    fn new(seats: usize) -> Self {
        Self { proceedings: Proceedings::new(seats), seq: 0 }
    }

    fn entry(&mut self, kind: EntryKind, awaits: Option<u8>) -> Option<AgreedUndo> {
        self.seq += 1;
        let mut entry = Entry::new(self.seq, u64::from(self.seq) * 1000, kind);
        entry.awaits = awaits.map(|seat| Awaited { seat, turn: 1 });
        self.proceedings.follow(&entry, &[])
    }

    fn event(&mut self, line: &str, awaits: Option<u8>) -> Option<AgreedUndo> {
        self.entry(EntryKind::Event(line.parse().expect(line)), awaits)
    }

    fn choice(&mut self, awaits: Option<u8>) {
        self.entry(EntryKind::Steps("x".into()), awaits);
    }

    fn pending(&self) -> Option<Vec<u8>> {
        self.proceedings.offer.as_ref().map(|offer| offer.pending.clone())
    }
}

#[test]
fn an_offer_is_agreed_when_all_have_said_yes() {
    let mut told = Told::new(3);
    told.event("offer 0 to 1,2 draw", Some(1));
    told.event("answer 2 1 yes", Some(1));
    assert_eq!((told.pending(), &told.proceedings.ended), (Some(vec![1]), &None));
    // An answer to another offer, and a second answer, say nothing.
    told.event("answer 1 7 yes", Some(1));
    told.event("answer 2 1 yes", Some(1));
    assert_eq!(told.pending(), Some(vec![1]));
    told.event("answer 1 1 yes", Some(1));
    assert_eq!((told.pending(), told.proceedings.ended), (None, Some(Ending::Draw)));
}

#[test]
fn one_no_is_enough_and_is_not_asked_again_before_the_next_choice() {
    let mut told = Told::new(2);
    told.event("offer 0 to 1 undo 7", Some(1));
    told.event("answer 1 1 no", Some(1));
    assert_eq!(told.pending(), None);
    let undo = Offer::Undo { to_step: 3, crossed: true };
    assert!(told.proceedings.was_refused(0, undo) && !told.proceedings.was_refused(1, undo));
    assert!(!told.proceedings.was_refused(0, Offer::Draw));
    told.choice(Some(0));
    assert!(!told.proceedings.was_refused(0, undo));
}

#[test]
fn an_offer_lapses_with_the_choice_of_whoever_was_asked() {
    let mut told = Told::new(2);
    told.event("offer 0 to 1 draw", Some(0));
    told.choice(Some(1));
    assert_eq!(told.pending(), Some(vec![1]), "whoever made it goes on meanwhile");
    told.choice(Some(0));
    assert_eq!(told.pending(), None, "to play on is to say no");
    told.event("offer 0 to 1 undo 3", Some(0));
    told.choice(Some(0));
    assert_eq!(told.pending(), None, "it would mean something else now");
    told.event("offer 0 to 1 undo 3", Some(0));
    told.entry(EntryKind::Undo { to_step: 2, crossed: false }, Some(0));
    assert_eq!(told.pending(), None);
    told.event("offer 0 to 1 break-off", Some(0));
    told.event("withdraw 0 99", Some(0));
    assert_eq!(told.pending(), Some(vec![1]));
    let number = told.proceedings.offer.as_ref().expect("open").number;
    told.event(&format!("withdraw 0 {number}"), Some(0));
    assert_eq!(told.pending(), None);
}

#[test]
fn an_agreed_undo_says_how_far_and_gives_the_mover_a_refill() {
    let mut told = Told::new(2);
    told.event("clock own bank=10s refill=4s cap=20s", Some(0));
    told.proceedings.clock.as_mut().expect("a clock").flag(0);
    told.event("offer 0 to 1 undo 7 crossed", Some(1));
    let number = told.seq;
    assert_eq!(
        told.event(&format!("answer 1 {number} yes"), Some(0)),
        Some(AgreedUndo { to_step: 7, crossed: true })
    );
    let clock = told.proceedings.clock.expect("a clock");
    assert_eq!((clock.bank(0), clock.stint().map(|stint| stint.seat)), (4_000, Some(0)));
}

#[test]
fn a_pause_holds_until_somebody_resumes() {
    let mut told = Told::new(2);
    told.event("clock sitting", Some(0));
    assert!(told.proceedings.deadline(&[]).is_some());
    told.event("offer 1 to 0 pause", Some(0));
    assert_eq!(told.proceedings.waits, Some(Wait { seat: 0, since: 1 }));
    told.event("answer 0 2 yes", Some(0));
    assert!(told.proceedings.is_paused && told.proceedings.deadline(&[]).is_none());
    assert_eq!(told.proceedings.waits, None);
    told.event("resume 1", Some(0));
    assert_eq!(told.proceedings.waits, Some(Wait { seat: 0, since: 4 }), "told anew, since it was quiet");
    assert!(!told.proceedings.is_paused && told.proceedings.deadline(&[]).is_some());
}

#[test]
fn who_comes_back_after_a_flag_has_a_refill_and_who_only_left_has_not() {
    let mut told = Told::new(2);
    told.event("clock own bank=10s refill=4s cap=20s", Some(0));
    told.event("flag 0 stand-in captain", None);
    assert_eq!(
        (told.proceedings.clock.as_ref().expect("a clock").bank(0), told.proceedings.deadline(&[])),
        (0, None)
    );
    told.event("seat 0 account:a1", Some(0));
    assert_eq!(told.proceedings.clock.as_ref().expect("a clock").bank(0), 4_000);
    told.event("seat 0 account:a1+bot:captain", None);
    told.event("seat 0 account:a1", Some(0));
    assert!(
        told.proceedings.clock.as_ref().expect("a clock").bank(0) < 8_001,
        "one refill for the turn, no more"
    );
}

#[test]
fn the_others_say_what_follows_from_a_flag() {
    for (wish, ended, left) in [
        ("win", Some(Ending::OutOfTime { seat: 1 }), 0),
        ("wait", None, 4_000),
        ("stand-in captain", None, 0),
    ] {
        let mut told = Told::new(2);
        told.event("clock own bank=10s refill=4s cap=20s flag=claim", Some(1));
        told.event("flag 1 claim", None);
        assert_eq!((told.proceedings.claimable, told.proceedings.deadline(&[])), (Some(1), None));
        told.event(&format!("claim 0 {wish}"), (wish == "wait").then_some(1));
        assert_eq!((&told.proceedings.ended, told.proceedings.claimable), (&ended, None), "{wish}");
        assert_eq!(told.proceedings.clock.as_ref().expect("a clock").bank(1), left, "{wish}");
        assert_eq!(told.proceedings.deadline(&[]).is_some(), wish == "wait");
    }
    // Who chooses after all has answered for themselves.
    let mut told = Told::new(2);
    told.event("clock own bank=10s refill=4s cap=20s flag=claim", Some(1));
    told.event("flag 1 claim", None);
    told.choice(Some(0));
    assert_eq!(told.proceedings.claimable, None);
}

#[test]
fn seats_change_hands_as_events_say() {
    let account = Player::Account { id: AccountId(3), bot: None };
    let seats: Vec<SeatRecord> = [Player::Owner, account, Player::Person]
        .into_iter()
        .zip(0..)
        .map(|(player, seat)| SeatRecord { seat, player, ..SeatRecord::default() })
        .collect();
    let mut told = Told::new(3);
    let handed = |told: &Told, line: &str| {
        let handed = told.proceedings.handed(&line.parse().expect(line), &seats);
        handed.map(|(seat, player)| format!("{seat} {player}"))
    };
    for (line, expected) in [
        ("seat 2 account:a9", Some("2 account:a9")),
        ("flag 1 stand-in captain", Some("1 account:a3+bot:captain")),
        ("flag 0 stand-in captain", Some("0 owner+bot:captain")),
        ("resign 1 captain", Some("1 bot:captain")),
        ("resign 1", None),
        ("flag 1 loss", None),
        ("claim 0 stand-in captain", None),
        ("flag 7 stand-in captain", None),
    ] {
        assert_eq!(handed(&told, line).as_deref(), expected, "{line}");
    }
    told.event("flag 1 claim", None);
    assert_eq!(handed(&told, "claim 0 stand-in captain").as_deref(), Some("1 account:a3+bot:captain"));
}

#[test]
fn each_end_has_its_standings() {
    use kernel::Standing::{Draw, Loss, Win};
    for (line, word, standings) in [
        ("resign 1", "resigned", vec![Win, Loss, Win]),
        ("flag 0 loss", "out-of-time", vec![Loss, Win, Win]),
        ("verdict draw,draw,loss rude", "verdict", vec![Draw, Draw, Loss]),
        ("verdict none nobody came", "verdict", vec![]),
        ("verdict win,loss for a table of two", "verdict", vec![]),
    ] {
        let mut told = Told::new(3);
        told.event(line, Some(0));
        let ended = told.proceedings.ended.expect(line);
        assert_eq!((ended.word(), ended.standings(3)), (word, standings), "{line}");
        assert!(!ended.title(&[]).is_empty());
    }
}
