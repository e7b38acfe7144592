//! Checks the features of views and the actions of choices.

use std::collections::HashSet;

use kernel::{CompleteGame, Mover, Viewer};

/// The features that every view of a set-up must have.
pub(crate) struct Names {
    names: Vec<String>,
    /// Values of two positions, kept so that a run does not allocate in every one.
    values: [Vec<f32>; 2],
    /// How many views were checked.
    checked: usize,
}

/// The names are compared in every so many views: making them costs more than all the rest.
const NAMED: usize = 16;

impl Names {
    /// The features of a set-up; no two may have the same name.
    pub(crate) fn of<G: CompleteGame>(game: &G) -> Result<Self, String> {
        let names = game.feature_names();
        let mut known = HashSet::new();
        if let Some(twice) = names.iter().find(|name| !known.insert(name.as_str())) {
            return Err(format!("two features are called {twice:?}"));
        }
        Ok(Self { values: [vec![0.0; names.len()], vec![0.0; names.len()]], names, checked: 0 })
    }

    /// A viewer gets the features of the set-up, all of them finite, and the same ones in two positions that differ only in
    /// what is hidden from them.
    pub(crate) fn check<G: CompleteGame>(
        &mut self,
        game: &G,
        states: [&G::State; 2],
        viewer: Viewer,
    ) -> Result<(), String> {
        if self.checked.is_multiple_of(NAMED) {
            self.compare_names(game, states[0], viewer)?;
        }
        self.checked += 1;
        for (values, state) in self.values.iter_mut().zip(states) {
            values.clear();
            game.features(&game.view(state, viewer), values);
            if values.len() != self.names.len() {
                let (count, named) = (values.len(), self.names.len());
                return Err(format!("{viewer:?} gets {count} features, but the set-up has {named}"));
            }
            if let Some(at) = values.iter().position(|value| !value.is_finite()) {
                return Err(format!("feature {:?} is {}", self.names[at], values[at]));
            }
        }
        let [told, guessed] = &self.values;
        match told.iter().zip(guessed).position(|(one, other)| one != other) {
            None => Ok(()),
            Some(at) => Err(format!(
                "the feature {:?} tells {viewer:?} something hidden: {}, not {}",
                self.names[at], told[at], guessed[at]
            )),
        }
    }
}

impl Names {
    fn compare_names<G: CompleteGame>(
        &self,
        game: &G,
        state: &G::State,
        viewer: Viewer,
    ) -> Result<(), String> {
        let mut here: Vec<String> = Vec::new();
        game.features(&game.view(state, viewer), &mut here);
        if here == self.names {
            return Ok(());
        }
        let at = here.iter().zip(&self.names).take_while(|(one, other)| one == other).count();
        let (here, named) = (here.get(at), self.names.get(at));
        Err(format!("feature {at} is {here:?} for {viewer:?}, but the set-up has {named:?}"))
    }
}

/// The choices of a seat are different actions within the bound.
pub(crate) fn check_actions<G: CompleteGame>(
    game: &G,
    mover: Mover,
    listed: &[G::Choice],
) -> Result<(), String> {
    if !matches!(mover, Mover::Seat(_)) {
        return Ok(());
    }
    let mut taken = HashSet::new();
    for (nth, &choice) in listed.iter().enumerate() {
        let action = game.action(nth, choice);
        if action >= game.actions() {
            return Err(format!("{choice:?} is action {action} of {}", game.actions()));
        }
        if !taken.insert(action) {
            return Err(format!("{choice:?} is action {action}, as another choice is"));
        }
    }
    Ok(())
}
