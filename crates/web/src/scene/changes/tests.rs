use std::collections::BTreeMap;

use maud::html;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed};

use super::*;

const HOLDERS: [&str; 3] = ["map", "hand", "track"];

/// A page as the browser has it: the children of each holder in order, and the class of each element of the sheet.
#[derive(Clone, Debug, Default, PartialEq)]
struct Page {
    holders: BTreeMap<&'static str, Vec<(String, String)>>,
    classes: BTreeMap<String, String>,
}

impl Page {
    fn showing(scene: &Scene) -> Self {
        let mut page = Self::default();
        for Part(key, holder, html) in &scene.parts {
            match holder {
                Some(holder) => page.holders.entry(holder).or_default().push((key.clone(), html.clone())),
                None => drop(page.classes.insert(key.clone(), html.clone())),
            }
        }
        page
    }

    /// Takes an element out of the page.
    fn take(&mut self, key: &str) -> Option<(String, String)> {
        for children in self.holders.values_mut() {
            if let Some(at) = children.iter().position(|(id, _)| id == key) {
                return Some(children.remove(at));
            }
        }
        None
    }

    /// What `applyParts` of the client does.
    fn apply(&mut self, changes: &Changes) {
        for key in &changes.gone {
            self.take(key);
        }
        for Part(key, holder, html) in &changes.parts {
            let Some(holder) = holder else {
                self.classes.insert(key.clone(), html.clone());
                continue;
            };
            let mut all = self.holders.values_mut().flatten();
            match all.find(|(id, _)| id == key) {
                Some((_, old)) => old.clone_from(html),
                None => self.holders.entry(holder).or_default().push((key.clone(), html.clone())),
            }
        }
        for Place(key, holder, before) in &changes.places {
            let Some(child) = self.take(key) else { panic!("{key} is nowhere") };
            let children = self.holders.entry(holder).or_default();
            let at = before.as_ref().map_or(0, |before| {
                1 + children.iter().position(|(id, _)| id == before).expect("the one before it is there")
            });
            children.insert(at, child);
        }
        self.holders.retain(|_, children| !children.is_empty());
    }
}

/// A scene of up to sixteen elements: some in holders, in any order, the rest classes of the sheet.
fn any_scene() -> impl Strategy<Value = Scene> {
    let part = (0..HOLDERS.len(), 0..3_u8);
    let elements = proptest::collection::btree_map(0..12_u8, part, 0..12);
    let shuffled = elements.prop_map(Vec::from_iter).prop_shuffle();
    (shuffled, proptest::collection::vec(0..3_u8, 4)).prop_map(|(elements, classes)| {
        let mut scene = Scene::default();
        for (key, (holder, look)) in elements {
            let key = format!("part{key}");
            scene.add(HOLDERS[holder], key.clone(), html! { p id=(key) { (look) } });
        }
        for (key, class) in classes.into_iter().enumerate() {
            scene.class(format!("cell{key}"), format!("look{class}"));
        }
        scene
    })
}

/// The same cases every time.
fn config() -> Config {
    Config {
        cases: 2_000,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(13),
        failure_persistence: None,
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_old_page_with_the_changes_is_the_new_page(old in any_scene(), new in any_scene()) {
        let (mut page, wanted) = (Page::showing(&old), Page::showing(&new));
        let marks = SceneMarks::of(&old);
        let (changes, next) = marks.changes(new.clone());
        page.apply(&changes);
        prop_assert_eq!(&page, &wanted);
        // What was remembered of the new scene is the new scene: nothing is left to change.
        let (rest, _) = next.changes(new.clone());
        prop_assert_eq!(rest, Changes::default());
        // Nothing is sent that the page has already.
        let shown = Page::showing(&old);
        for Part(key, holder, html) in &changes.parts {
            let known = match holder {
                Some(_) => shown.holders.values().flatten().any(|child| *child == (key.clone(), html.clone())),
                None => shown.classes.get(key) == Some(html),
            };
            prop_assert!(!known, "{} is sent though nothing has changed", key);
        }
    }

    #[test]
    fn one_piece_that_moves_is_one_place(from in 0..10_usize, to in 0..10_usize) {
        let scene = |order: &[usize]| {
            let mut scene = Scene::default();
            for key in order {
                scene.add("map", format!("p{key}"), html! { p { (key) } });
            }
            scene
        };
        let mut order: Vec<usize> = (0..10).collect();
        let marks = SceneMarks::of(&scene(&order));
        let moved = order.remove(from);
        order.insert(to, moved);
        let (changes, _) = marks.changes(scene(&order));
        prop_assert_eq!(changes.places.len(), usize::from(from != to));
        prop_assert!(changes.parts.is_empty() && changes.gone.is_empty());
    }
}
