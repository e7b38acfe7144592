//! A ladder as tables.

use std::fmt::Write as _;

use super::{LadderReport, Lead};
use crate::interval::Interval;

impl LadderReport {
    /// The report as tables.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let options: Vec<String> = self.options.iter().map(|(key, value)| format!("{key} {value}")).collect();
        let _ = writeln!(
            out,
            "{} ({}), {} game{}, seed {}{}",
            self.game,
            options.join(", "),
            self.games,
            if self.games == 1 { "" } else { "s" },
            self.seed,
            if self.interrupted {
                format!(" - stopped early, {} were requested", self.games_asked)
            } else {
                String::new()
            }
        );
        if self.solo.is_empty() {
            self.rating_table(&mut out);
            self.cross_table(&mut out);
            self.seat_table(&mut out);
        } else {
            self.solo_table(&mut out);
        }
        self.setup_table(&mut out);
        self.breakdowns(&mut out);
        // Columns that stay empty at the end of a line leave no blanks.
        out.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }

    fn rating_table(&self, out: &mut String) {
        let zero = self.anchor.map_or_else(|| "the mean is 0".to_owned(), |anchor| format!("{anchor} is 0"));
        let width = self.width();
        let _ = writeln!(
            out,
            "Elo with 95 % intervals, {zero}; LOS is the likelihood that a bot is stronger than the next below\n\n  \
             {:>3}  {:width$}  {:>6}         {:>7}  {:>7}  {:>7}  {:>7}  {:>7}  {:>7}{}",
            "#",
            "bot",
            "Elo",
            "score",
            "games",
            "win",
            "draw",
            "loss",
            "LOS",
            self.time_heading()
        );
        for line in &self.ratings {
            let elo = if self.anchor == Some(line.bot.as_str()) {
                format!("{:>6}{:7}", 0, "")
            } else {
                format!("{:>+6.0} ± {:<4.0}", line.elo, line.error)
            };
            let _ = writeln!(
                out,
                "  {:>3}  {:width$}  {elo:13}  {:>7}  {:>7}  {:>7}  {:>7}  {:>7}  {:>7}{}",
                line.rank,
                line.bot,
                percent(line.score),
                line.games,
                line.wins,
                line.draws,
                line.losses,
                line.stronger_than_next.map_or_else(String::new, percent),
                time(line.microseconds)
            );
        }
    }

    fn cross_table(&self, out: &mut String) {
        let width = self.width();
        let _ = write!(out, "\nScore of the row against the column\n  {:>3}  {:width$}", "#", "bot");
        for line in &self.ratings {
            let _ = write!(out, "  {:>7}", line.rank);
        }
        out.push('\n');
        for (line, row) in self.ratings.iter().zip(&self.cross) {
            let _ = write!(out, "  {:>3}  {:width$}", line.rank, line.bot);
            for score in row {
                let _ = write!(out, "  {:>7}", score.map_or_else(|| "-".to_owned(), percent));
            }
            out.push('\n');
        }
    }

    fn seat_table(&self, out: &mut String) {
        out.push_str("\nResults by seat\n");
        for seat in &self.seats {
            let _ = writeln!(
                out,
                "  {:8} win {}   draw {}   loss {}",
                seat.seat,
                seat.win.words(),
                seat.draw.words(),
                seat.loss.words()
            );
        }
    }

    fn solo_table(&self, out: &mut String) {
        let width = self.width();
        let _ = writeln!(
            out,
            "Share of victories with 95 % intervals; all bots had the same dice, and the lead over the next below is that of \
             the same games\n\n  {:>3}  {:width$}  {:>7}  {:24}  {:24}  {:24}  {:22}{}",
            "#",
            "bot",
            "games",
            "win",
            "draw",
            "loss",
            "lead",
            self.time_heading()
        );
        let share = |interval: &Interval| interval.words();
        for line in &self.solo {
            let _ = writeln!(
                out,
                "  {:>3}  {:width$}  {:>7}  {:24}  {:24}  {:24}  {:22}{}",
                line.rank,
                line.bot,
                line.games,
                share(&line.win),
                share(&line.draw),
                share(&line.loss),
                line.lead.map_or_else(String::new, |lead| lead.words()),
                time(line.microseconds)
            );
        }
    }

    fn setup_table(&self, out: &mut String) {
        if self.setups.is_empty() {
            return;
        }
        let who = |bot: &str, against: Option<&str>| match against {
            Some(against) => format!("{bot} v {against}"),
            None => bot.to_owned(),
        };
        let column =
            |texts: &mut dyn Iterator<Item = usize>, least: usize| texts.max().unwrap_or(0).max(least);
        let setup = column(&mut self.setups.iter().map(|line| line.setup.chars().count()), 6);
        let pair = column(
            &mut self.setups.iter().map(|line| who(&line.bot, line.against.as_deref()).chars().count()),
            4,
        );
        let _ = writeln!(
            out,
            "\n  {:setup$}  {:pair$}  {:>7}  {:>7}  {:>7}  {:>7}  {:>7}",
            "set-up", "bots", "score", "games", "win", "draw", "loss"
        );
        for line in &self.setups {
            let _ = writeln!(
                out,
                "  {:setup$}  {:pair$}  {:>7}  {:>7}  {:>7}  {:>7}  {:>7}",
                line.setup,
                who(&line.bot, line.against.as_deref()),
                percent(line.score),
                line.games,
                line.wins,
                line.draws,
                line.losses
            );
        }
    }

    fn breakdowns(&self, out: &mut String) {
        let ratings = self.ratings.iter().map(|line| (&line.bot, line.broken));
        let broken = ratings.chain(self.solo.iter().map(|line| (&line.bot, line.broken)));
        for (bot, games) in broken.filter(|(_, games)| *games > 0) {
            let s = if games == 1 { "" } else { "s" };
            let _ = writeln!(
                out,
                "\n{bot} failed in {games} game{s}, which count{} as lost",
                if games == 1 { "s" } else { "" }
            );
        }
    }

    /// The longest name of a bot.
    fn width(&self) -> usize {
        let names = self.ratings.iter().map(|line| &line.bot).chain(self.solo.iter().map(|line| &line.bot));
        names.map(|name| name.chars().count()).max().unwrap_or(0).max(3)
    }

    fn time_heading(&self) -> String {
        let ratings = self.ratings.iter().map(|line| line.microseconds);
        let mut times = ratings.chain(self.solo.iter().map(|line| line.microseconds));
        if times.any(|time| time.is_some()) { format!("  {:>14}", "time/choice") } else { String::new() }
    }
}

impl Lead {
    /// "+3.4 (+1.2 to +5.6)", in hundredths.
    pub fn words(&self) -> String {
        let p = |x: f64| x * 100.0;
        format!("{:+5.1} ({:+.1} to {:+.1})", p(self.difference), p(self.low), p(self.high))
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn time(microseconds: Option<f64>) -> String {
    microseconds.map_or_else(String::new, |time| format!("  {:>14}", format!("{time:.1} µs")))
}
