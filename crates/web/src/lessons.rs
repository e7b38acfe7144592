//! The lessons of a game, and the table at which they are checked.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use diagnostics::{FileCheck, Problems};
use kernel::{LabDice, LessonFile, MatchDice, Options, Table, Viewer};
use lessons::Lesson;
use lessons::check::{Stage, check};
use tracing::error;

use crate::pages::table::PLACES;
use crate::scene::Scene;
use crate::title::{PointInTime, Title};

/// A lesson that is ready to be played.
pub struct TitleLesson {
    /// Its file.
    pub file: LessonFile,
    /// What the file says.
    pub lesson: Arc<Lesson>,
}

/// The lessons of these files. One that can't be read is left out: the tests read them all.
pub(crate) fn read(game: &str, files: &'static [LessonFile]) -> Vec<TitleLesson> {
    let ready = |file: &'static LessonFile| match Lesson::read(file.id, file.text, named(file)) {
        Ok((lesson, _)) => Some(TitleLesson { file: *file, lesson: Arc::new(lesson) }),
        Err(problems) => {
            error!("the lesson {} of {game} can't be read: {problems}", file.id);
            None
        }
    };
    files.iter().filter_map(ready).collect()
}

fn named(file: &LessonFile) -> impl Fn(&str) -> Option<String> {
    move |name| file.file(name).map(str::to_owned)
}

/// Checks a lesson file against the rules, the board and the rulebook of a game.
pub fn check_lesson(
    title: &dyn Title,
    name: &str,
    text: &str,
    file: impl Fn(&str) -> Option<String>,
) -> Result<FileCheck, Problems> {
    check(&TitleStage(title), name, text, file)
}

/// Checks the built-in lessons of a game, and returns a line for each.
pub fn check_builtin(title: &dyn Title, files: &'static [LessonFile]) -> Result<Vec<String>, Problems> {
    let mut summary = Vec::new();
    for file in files {
        let name = format!("{}/{}.toml", title.id(), file.id);
        summary.extend(check_lesson(title, &name, file.text, named(file))?.summary);
    }
    Ok(summary)
}

struct TitleStage<'a>(&'a dyn Title);

impl Stage for TitleStage<'_> {
    fn open(&self, options: &Options, dice: MatchDice) -> Result<Box<dyn Table>, String> {
        self.0.open(options, dice)
    }

    fn choose(&self, bot: &str, table: &dyn Table, dice: &mut LabDice) -> Result<String, String> {
        let chosen = self.0.sit(bot)?.choose(table, dice, &AtomicBool::new(false));
        chosen.map(|chosen| chosen.choice).ok_or_else(|| "it has no answer".to_owned())
    }

    fn places(&self, table: &dyn Table, viewer: Viewer) -> Vec<String> {
        let mut scene = Scene::default();
        self.0.draw(table, viewer, PointInTime::Now, &mut scene);
        let board = scene.fill(self.0.sheet(table)).into_string();
        let ids = board.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let ids: HashSet<&str> = ids.chain(PLACES).collect();
        ids.into_iter().map(str::to_owned).collect()
    }

    fn has_rule(&self, rule: &str) -> bool {
        self.0.rulebook().section_markdown(rule).is_some()
    }
}
