//! Following a match that goes on elsewhere: what was written there is played on the copy here.

use super::REMARK;
use crate::digest::StateDigest;
use crate::event::EventSink;
use crate::matches::Match;
use crate::seat::{Actor, Mover};
use crate::wording::Wording;

/// A line of a log, taken apart.
struct LogLine<'a> {
    step: usize,
    who: &'a str,
    is_forced: bool,
    name: String,
    digest: StateDigest,
}

impl<'a> LogLine<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [number, who, name @ .., digest] = &words[..] else { return None };
        let (step, digest) = (number.parse().ok()?, StateDigest::parse(digest)?);
        let is_forced = who.ends_with('*');
        Some(Self { step, who: who.trim_end_matches('*'), is_forced, name: name.join(" "), digest })
    }
}

impl<G: Wording> Match<G> {
    /// Plays the choices that another copy of this match has logged since, as [`write_log`](Self::write_log) writes them. Every choice
    /// must be legal and lead to the same position; dice are taken as they fell. An error says where the copies part: then this one is
    /// of no use any more.
    pub fn follow<L: EventSink<G::Event>>(&mut self, lines: &str, sink: &mut L) -> Result<(), String> {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(why) = line.strip_prefix(REMARK) {
                let last = self.log().len().saturating_sub(1);
                self.remark(last, why);
                continue;
            }
            if line.starts_with('#') {
                continue;
            }
            let step = self.log().len() + 1;
            let read = LogLine::read(line).filter(|read| read.step == step);
            let read = read.ok_or_else(|| format!("step {step} can't be read"))?;
            self.follow_line(&read, sink).map_err(|why| format!("step {step}: {why}"))?;
        }
        Ok(())
    }

    fn follow_line<L: EventSink<G::Event>>(
        &mut self,
        line: &LogLine<'_>,
        sink: &mut L,
    ) -> Result<(), &'static str> {
        let (actor, due) = match self.mover() {
            Mover::Nobody => return Err("the game is over here"),
            Mover::Fate => (Actor::Fate, "fate"),
            Mover::Seat(seat) => (Actor::Seat(seat), self.game().seats()[seat.index()].word),
        };
        if line.who != due {
            return Err("it is somebody else's turn here");
        }
        let choice = self.read(&line.name).map_err(|_| "its choice is not known here")?;
        if !self.is_open(choice) {
            return Err("its choice is not possible here");
        }
        self.record(choice, actor, line.is_forced, sink);
        match self.digest_of(self.state()) == line.digest {
            true => Ok(()),
            false => Err("it leads to another position here"),
        }
    }
}
