//! What the tests of all boards need.

use std::collections::HashSet;

use kernel::{Game, Match, Mover, Viewer, Wording};
use web::{Asked, Board, ChoiceOf, Part, Scene};

/// What is drawn for a viewer of a match, and what may be chosen.
pub fn scene<B: Board>(shown: &Match<B::Game>, viewer: Viewer) -> (Scene, Vec<(ChoiceOf<B>, String)>) {
    let game = shown.game();
    let open: Vec<(ChoiceOf<B>, String)> = match shown.mover() {
        Mover::Seat(seat) if viewer == Viewer::Seat(seat) => {
            shown.choices().into_iter().map(|choice| (choice, shown.name(choice))).collect()
        }
        _ => Vec::new(),
    };
    let mut closed = Vec::new();
    if !open.is_empty() {
        game.closed(shown.state(), &shown.choices(), &mut closed);
    }
    let closed: Vec<(ChoiceOf<B>, String)> =
        closed.into_iter().map(|choice| (choice, game.why_not(shown.state(), choice).to_string())).collect();
    let mut scene = Scene::default();
    let view = game.view(shown.state(), viewer);
    B::draw(game, &view, &Asked { open: &open, closed: &closed }, &mut scene);
    (scene, open)
}

/// Markup with a line for each element, so that a change shows as the lines that it is.
pub fn lines(html: &str) -> String {
    html.replace("><", ">\n<")
}

/// The fingerprint of the assets changes with every stylesheet: it is not what this is about.
pub fn without_fingerprints(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/asset/") {
        let (before, after) = rest.split_at(at + "/asset/".len());
        out.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    out + rest
}

/// Every `id` in a piece of markup.
pub fn ids(html: &str) -> Vec<&str> {
    html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The markup of a whole scene, which must fit the sheet: every part has its place there and is the element of its key, no
/// `id` stands twice, nothing is there that the page forbids, and it is not larger than `most` bytes.
pub fn assembled(drawn: &Scene, sheet: &str, places: &HashSet<&str>, most: usize) -> String {
    let mut html = String::new();
    for Part(key, place, part) in &drawn.parts {
        match place {
            Some(place) => {
                assert!(places.contains(place), "{key} goes to {place}, which the sheet does not have");
                assert_eq!(ids(part).first(), Some(&key.as_str()), "the part must be the element of its key");
                html.push_str(part);
            }
            None => assert!(places.contains(key.as_str()), "the sheet has no {key}"),
        }
    }
    assert!(html.len() < most, "a whole scene of {} bytes", html.len());
    for forbidden in [" style=", "<script", "onclick", "javascript:"] {
        assert!(!html.contains(forbidden) && !sheet.contains(forbidden), "{forbidden} is not allowed");
    }
    let mut seen = HashSet::new();
    for id in ids(sheet).into_iter().chain(ids(&html)) {
        assert!(seen.insert(id), "the id {id} is there twice");
    }
    html
}
