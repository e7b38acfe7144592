//! The card of a theatre or a city: a piece of the map, its campaigns as rows of spaces, its battle track. Rules 1.2 to 1.4.

use std::collections::HashMap;
use std::sync::LazyLock;

use blitz::layout::{Effect, Layout, Space, Terrain, Theatre, bits};
use blitz::units::{Kind, Side};
use blitz::{Choice, Rules, State};
use maud::{Markup, html};

use super::{geography, symbols, track};
use crate::world;
use web::{Asked, Scene};

/// Where the names of theatres go, by theatre.
static NAME_PLACES: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    let both = [Layout::base(), Layout::nippon()].into_iter().flat_map(|layout| &layout.theatres);
    both.map(|theatre| (theatre.id.as_str(), format!("name-{}", theatre.id))).collect()
});

/// Where the name of a theatre goes.
fn name_place(theatre: &Theatre) -> &'static str {
    NAME_PLACES.get(theatre.id.as_str()).map_or("", String::as_str)
}

const ROMAN: [&str; 4] = ["I", "II", "III", "IV"];

/// The name of a card, whose class changes.
pub fn card_key(theatre: &Theatre) -> String {
    format!("theatre-{}", theatre.id)
}

/// The name of a campaign, whose class changes.
pub fn campaign_key(theatre: &Theatre, number: usize) -> String {
    format!("campaign-{}-{}", theatre.id, number + 1)
}

/// Everything on the card that stays, with empty places for what changes.
pub fn card(rules: &Rules, at: u8) -> Markup {
    let theatre = rules.theatre(at);
    html! {
        section.theatre id=(card_key(theatre)) aria-label=(theatre.name) {
            (map(rules, theatre))
            div.head {
                div.name id=(name_place(theatre)) {}
            }
            div.campaigns {
                @for (number, campaign) in theatre.campaigns.iter().enumerate() {
                    div.campaign id=(campaign_key(theatre, number)) {
                        p.caption {
                            @if theatre.campaigns.len() > 1 { b { (ROMAN[number.min(3)]) } }
                            (symbols::shield(campaign.vp))
                        }
                        div.spaces {
                            @for space in bits(campaign.mask) { (place(rules.space(space), true)) }
                        }
                    }
                }
            }
            (track::sheet(theatre))
        }
    }
}

/// The map behind a card.
fn map(rules: &Rules, theatre: &Theatre) -> Markup {
    // The frame of the world presses America together: its pieces are stretched to the card.
    let stretched = rules.layout.opens_cities;
    let crop = if stretched { geography::city_crop(&theatre.id) } else { geography::crop(&theatre.id) };
    let [x, y, width, height] = crop;
    let aspect = if stretched { "none" } else { "xMidYMid slice" };
    let world = world::url();
    html! {
        svg.terrain viewBox={(x) " " (y) " " (width) " " (height)} preserveAspectRatio=(aspect) aria-hidden="true" {
            rect.sea x=(x - 400.0) y=(y - 400.0) width="1600" height="1200" {}
            use.shore href={(world) "#land"} {}
            use.land href={(world) "#land"} {}
        }
    }
}

const fn terrain_word(terrain: Terrain) -> &'static str {
    match terrain {
        Terrain::Land => "land",
        Terrain::Sea => "sea",
        Terrain::Both => "both",
    }
}

/// A space without what stands on it: terrain, effect, number. With a place for a token where one can come.
fn place(space: &Space, live: bool) -> Markup {
    let counted = matches!(space.effect, Effect::Tactical | Effect::Strategic | Effect::Propaganda);
    html! {
        div.place {
            svg.tile viewBox="0 0 64 64" aria-hidden="true" {
                use href={"#t-" (terrain_word(space.terrain))} {}
                @if space.effect != Effect::None { use.effect href={"#e-" (space.effect.word())} {} }
                @if counted {
                    circle.count cx="50" cy="49" r="12" {}
                    text.count x="50" y="55.5" { (space.n) }
                }
            }
            @if live { div.on id=(space.name) {} }
        }
    }
}

/// A space in words: "EE.1.2 (Eastern Europe), land, industrial production, empty".
pub fn space_words(rules: &Rules, state: &State, space: u8) -> String {
    let data = rules.space(space);
    let holds = match state.at(space) {
        None => "empty".to_owned(),
        Some((side, Kind::Spy)) => {
            format!("{} spy as {}", rules.side_name(side), state.played_as(Kind::Spy))
        }
        Some((side, kind)) => format!("{} {kind}", rules.side_name(side)),
    };
    let effect = Rules::effect_words(data.effect, data.n).to_lowercase();
    format!("{}, {}, {effect}, {holds}", rules.space_title(space), data.terrain.words())
}

/// What changes on a card: its name and state, the class of its campaigns, its spaces, its marker.
pub fn draw(rules: &Rules, state: &State, asked: &Asked<'_, Choice>, scene: &mut Scene) {
    // The names of the places on the sheet last as long as the board's data: for good.
    let layout: &'static Layout = rules.layout;
    for (at, theatre) in layout.theatres.iter().enumerate() {
        let number = at as u8;
        scene.class(card_key(theatre), card_class(rules, state, number));
        scene.add(name_place(theatre), format!("title-{}", theatre.id), title(rules, state, number, asked));
        for campaign in 0..theatre.campaigns.len() {
            scene.class(campaign_key(theatre, campaign), campaign_class(state, number, campaign));
        }
        for space in bits(theatre.mask) {
            let name = layout.spaces[usize::from(space)].name.as_str();
            scene.add(name, format!("at-{name}"), space_part(rules, state, space, asked));
        }
        let marker = track::marker(rules, theatre, state.track(number));
        scene.add(theatre.id.as_str(), format!("marker-{}", theatre.id), marker);
    }
}

/// The class of a card: open, shut, or locked.
fn card_class(rules: &Rules, state: &State, at: u8) -> String {
    let word = match () {
        () if state.is_open(at) => "open",
        () if state.is_closed(at) => "shut",
        () => "locked",
    };
    let spaces = rules.theatre(at).campaigns.iter().map(|campaign| campaign.mask.count_ones());
    format!(
        "theatre {word} lead-{} widest-{}",
        track::leader_class(state.track(at)),
        spaces.max().unwrap_or(0)
    )
}

/// The class of a campaign: done, active or later. Rule 1.4.
fn campaign_class(state: &State, theatre: u8, campaign: usize) -> String {
    let active = usize::from(state.active[usize::from(theatre)]);
    let word = match () {
        () if campaign < active => "done",
        () if !state.is_open(theatre) => "lost",
        () if campaign == active => "active",
        () => "later",
    };
    format!("campaign {word}")
}

/// Whether a choice means a whole theatre.
pub const fn names_theatre(choice: Choice, at: u8) -> bool {
    matches!(choice, Choice::Strategic(of) | Choice::Theatre(of) | Choice::Open(of) if of == at)
}

/// The name of a theatre with how it stands; lit where the theatre itself can be chosen.
fn title(rules: &Rules, state: &State, at: u8, asked: &Asked<'_, Choice>) -> Markup {
    let theatre = rules.theatre(at);
    let open = asked.names(|choice| names_theatre(choice, at));
    let closed = if open.is_none() { asked.reason(|choice| names_theatre(choice, at)) } else { None };
    let position = state.track(at);
    let standing = match () {
        () if state.is_closed(at) && position.abs() == theatre.track_end => {
            format!("taken by {}", rules.with_article(leader(position)))
        }
        () if state.is_closed(at) => "closed".to_owned(),
        () if position == 0 => "level".to_owned(),
        () => format!("{} ahead by {}", rules.side_name(leader(position)), position.abs()),
    };
    let words = html! {
        b { (theatre.name) " " small.code { (theatre.id) } }
        span.standing.(track::leader_class(position)) { (standing) }
    };
    html! {
        @if open.is_some() {
            button #{"title-" (theatre.id)} .title.lit type="button" data-choice=[open] { (words) }
        } @else {
            div #{"title-" (theatre.id)} .title data-closed=[closed] { (words) }
        }
    }
}

const fn leader(position: i8) -> Side {
    if position > 0 { Side::First } else { Side::Second }
}

/// A space with what stands on it, lit where something can be placed.
fn space_part(rules: &Rules, state: &State, space: u8, asked: &Asked<'_, Choice>) -> Markup {
    let data = rules.space(space);
    let open = asked.names(|choice| matches!(choice, Choice::Place { space: of, .. } if of == space));
    let reached = state.available >> space & 1 != 0 || open.is_some();
    html! {
        button #{"at-" (data.name)} .space.lit[open.is_some()] type="button" tabindex=[(!reached).then_some("-1")]
            data-place=(data.name) data-choice=[open] aria-label=(space_words(rules, state, space)) {
            @if let Some((side, kind)) = state.at(space) { (symbols::counter(side, kind)) }
        }
    }
}

/// The card of a position for paper: whole, without anything to choose.
pub fn on_paper(rules: &Rules, state: &State, at: u8) -> Markup {
    let theatre = rules.theatre(at);
    html! {
        section.theatre.open {
            (map(rules, theatre))
            div.head { div.name { b { (theatre.name) } @if theatre.modifier > 0 { span.modifier { "+" (theatre.modifier) } } } }
            div.campaigns {
                @for (number, campaign) in theatre.campaigns.iter().enumerate() {
                    div class=(campaign_class(state, at, number)) {
                        p.caption {
                            @if theatre.campaigns.len() > 1 { b { (ROMAN[number.min(3)]) } }
                            (symbols::shield(campaign.vp))
                        }
                        div.spaces {
                            @for space in bits(campaign.mask) {
                                div.stack {
                                    (place(rules.space(space), false))
                                    @if let Some((side, kind)) = state.at(space) { div.on { (symbols::counter(side, kind)) } }
                                }
                            }
                        }
                    }
                }
            }
            (track::on_paper(rules, theatre, state.track(at)))
        }
    }
}
