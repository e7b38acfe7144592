//! Whether an order fits a situation.

use kernel::{Actor, Seat};

use crate::language::{Event, Order, Pattern, Pick, RulePattern, Who, Word};
use crate::situation::{Answer, Logged, Situation};

impl Pattern {
    /// Whether it fits a name.
    ///
    /// ```
    /// use orders::Pattern;
    /// assert!(Pattern::exactly("attack WF").fits("attack WF"));
    /// assert!(!Pattern::exactly("attack WF").fits("attack EF"));
    /// ```
    pub fn fits(&self, name: &str) -> bool {
        let mut names = name.split_whitespace();
        for word in &self.words {
            match (word, names.next()) {
                (Word::Rest, _) => return true,
                (Word::Any, Some(_)) => {}
                (Word::Exactly(word), Some(name)) if word == name => {}
                _ => return false,
            }
        }
        names.next().is_none()
    }
}

impl RulePattern {
    /// Whether it fits the rule of a question. A question may name several rules, with commas; one that fits is enough.
    pub fn fits(&self, rule: &str) -> bool {
        rule.split(',').map(str::trim).any(|rule| {
            rule.strip_prefix(self.rule.as_str())
                .is_some_and(|rest| rest.is_empty() || (self.under && rest.starts_with('.')))
        })
    }
}

impl Event {
    /// Whether a step of the log is such a choice. A hidden choice only fits `**`, which says nothing of it.
    fn fits(&self, logged: &Logged, owner: Seat) -> bool {
        let by = match (self.who, logged.actor) {
            (Who::Seat(seat), Actor::Seat(actor)) => seat == actor,
            (Who::Other, Actor::Seat(actor)) => actor != owner,
            (Who::Anybody, Actor::Seat(_)) | (Who::Fate, Actor::Fate) => true,
            _ => false,
        };
        by && match &logged.name {
            Some(name) => self.what.fits(name),
            None => self.what.words == [Word::Rest],
        }
    }
}

impl Order {
    /// What the order answers, if its `when` and `after` fit and something that it chooses is open. Where nobody may look at
    /// what is offered it answers whenever `when` and `after` fit.
    pub fn answer(&self, situation: &Situation) -> Option<Answer> {
        let fits =
            self.rule.as_ref().is_none_or(|rule| rule.fits(&situation.rule)) && self.follows(situation);
        if !fits {
            return None;
        }
        match &situation.offered {
            Some(offered) => self.choose.iter().find_map(|pick| match pick {
                Pick::Usual => Some(Answer::Usual),
                Pick::Named(pattern) => {
                    offered.iter().find(|name| pattern.fits(name)).cloned().map(Answer::Name)
                }
            }),
            None => match self.choose.first()? {
                Pick::Usual => Some(Answer::Usual),
                Pick::Named(pattern) => pattern.name().map(Answer::Name),
            },
        }
    }

    /// Whether the last choices of the log are those of `after`. Fate's draws are passed over where another is meant.
    fn follows(&self, situation: &Situation) -> bool {
        let mut log = situation.log.iter().rev();
        self.after.iter().rev().all(|event| {
            let last =
                if event.who == Who::Fate { log.next() } else { log.find(|step| step.actor != Actor::Fate) };
            last.is_some_and(|step| event.fits(step, situation.seat))
        })
    }

    /// The step since the order was given that ends it by `unless`.
    pub(crate) fn ended_by<'s>(&self, situation: &'s Situation, made_at: usize) -> Option<&'s Logged> {
        let since = situation.log.iter().filter(|step| step.step > made_at);
        since.into_iter().find(|step| self.unless.iter().any(|event| event.fits(step, situation.seat)))
    }
}
