//! A theatre: a piece of the map, and the battle track of its front. Rules 2.3, 2.4.

use echoes::book::RegionData;
use echoes::ids::{Region, Side};
use echoes::{Choice, Rules, State};
use maud::{Markup, html};

use super::geography;
use crate::world;
use web::{Asked, Scene};

/// The size of a card.
pub const WIDTH: f64 = 400.0;
/// How much of it is map.
pub const MAP_HEIGHT: f64 = 168.0;
const HEIGHT: f64 = 262.0;
/// The line on which the battle track lies.
const TRACK_Y: f64 = 204.0;
const RADIUS: f64 = 17.0;

/// Where the changing parts of a card go.
const fn slot(region: Region) -> &'static str {
    match region {
        Region::Wf => "slot-WF",
        Region::Ef => "slot-EF",
        Region::Sf => "slot-SF",
        Region::Chn => "slot-CHN",
        Region::Pac => "slot-PAC",
        Region::Isl => "slot-ISL",
    }
}

/// The middle of a space of the battle track.
fn space_x(space: usize, count: usize) -> f64 {
    let margin = 36.0;
    margin + space as f64 * (WIDTH - 2.0 * margin) / (count.max(2) - 1) as f64
}

/// A place of the world on the card.
fn on_card(region: Region, (x, y): (f64, f64)) -> (f64, f64) {
    let crop = geography::crop(region);
    let scale = WIDTH / crop.width;
    ((x - crop.x) * scale, (y - crop.y) * scale)
}

/// The card of a position, whole, for paper.
pub fn on_paper(rules: &Rules, state: &State, region: Region) -> Markup {
    let mut scene = Scene::default();
    draw(rules, state, region, &Asked::NOTHING, &mut scene);
    scene.fill(card_of(rules, region, Some(state)))
}

/// Everything on the card that stays, with an empty place for what changes.
pub fn card(rules: &Rules, region: Region) -> Markup {
    card_of(rules, region, None)
}

fn card_of(rules: &Rules, region: Region, state: Option<&State>) -> Markup {
    let data = &rules.book.regions[region.index()];
    let crop = geography::crop(region);
    let view = format!("{} {} {} {:.1}", crop.x, crop.y, crop.width, crop.width * MAP_HEIGHT / WIDTH);
    let places: Vec<(f64, f64)> = geography::places(region, data.spaces.len())
        .into_iter()
        .map(|place| on_card(region, place))
        .collect();
    let way: String = places.iter().map(|(x, y)| format!("{x:.1},{y:.1} ")).collect();
    let world = world::url();
    html! {
        div.theatre data-region=(region.code()) data-colour=(data.colour) {
            // Two layers: the map is painted once, what changes lies over it.
            svg.terrain viewBox={"0 0 " (WIDTH) " " (HEIGHT)} aria-hidden="true" {
                svg.map x="0" y="0" width=(WIDTH) height=(MAP_HEIGHT) viewBox=(view) preserveAspectRatio="none" {
                    rect.sea x=(crop.x) y=(crop.y) width="100%" height="100%" {}
                    use.shore href={(world) "#land"} {}
                    use.land href={(world) "#land"} {}
                }
                rect.ground x="0" y=(MAP_HEIGHT) width=(WIDTH) height=(HEIGHT - MAP_HEIGHT) {}
                polyline.way points=(way.trim_end()) {}
                @for (x, y) in &places { circle.place cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="3.2" {} }
            }
            svg.front-layer viewBox={"0 0 " (WIDTH) " " (HEIGHT)} role="group" aria-label=(data.name) {
                text.region x="12" y="25" {
                    title { (data.allied_nations) " against " (data.axis_nations) }
                    (data.name)
                }
                @for (space, name) in data.spaces.iter().enumerate() {
                    g #(space_key(region, space)) class=(state.map_or("spot", |state| space_class(state, region, space))) {
                        (space_sign(data, space, name))
                    }
                }
                g #(slot(region)) {}
            }
        }
    }
}

/// A space of the battle track: its points, its name, a star for a capital.
fn space_sign(data: &RegionData, space: usize, name: &str) -> Markup {
    let count = data.spaces.len();
    let x = space_x(space, count);
    let capital = is_capital(data, space);
    let longest = if count <= 4 { 18 } else { 9 };
    html! {
        @if space > 0 { line x1=(format!("{:.1}", space_x(space - 1, count) + RADIUS)) x2=(format!("{:.1}", x - RADIUS)) y1=(TRACK_Y) y2=(TRACK_Y) {} }
        @if capital {
            polygon.capital points=(star(x, TRACK_Y, 25.0)) {}
        }
        circle.space cx=(format!("{x:.1}")) cy=(TRACK_Y) r=(RADIUS) {}
        text.points x=(format!("{x:.1}")) y=(TRACK_Y + 5.5) { (data.vp[space]) }
        @for (line, words) in wrapped(name, longest).iter().enumerate() {
            text.name x=(format!("{:.1}", edge(x, words))) y=(TRACK_Y + 36.0 + 12.5 * line as f64) { (words) }
        }
    }
}

fn is_capital(data: &RegionData, space: usize) -> bool {
    (space == 0 && data.allied_capital) || (space == usize::from(data.max) && data.axis_capital)
}

/// Keeps a centred word on the card.
fn edge(x: f64, words: &str) -> f64 {
    let half = words.chars().count() as f64 * 3.1 + 3.0;
    x.clamp(half, WIDTH - half)
}

/// The corners of a star with five points.
fn star(x: f64, y: f64, radius: f64) -> String {
    let corner = |n: u32| {
        let angle = std::f64::consts::PI * (f64::from(n) / 5.0 - 0.5);
        let reach = if n.is_multiple_of(2) { radius } else { radius * 0.62 };
        format!("{:.1},{:.1}", x + reach * angle.cos(), y + reach * angle.sin())
    };
    (0..10).map(corner).collect::<Vec<_>>().join(" ")
}

/// A name in lines of at most so many letters where its words allow it.
fn wrapped(name: &str, longest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in name.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= longest => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Everything on the card that changes, in small parts: what an attack needs and what is recorded, the front, what is lit.
/// The flag lies over the badges, and what is lit over all.
pub fn draw(rules: &Rules, state: &State, region: Region, asked: &Asked<'_, Choice>, scene: &mut Scene) {
    let place = slot(region);
    let code = region.code();
    scene.add(place, format!("needs-{code}"), needs(rules, state, region));
    scene.add(place, format!("front-{code}"), front(rules, state, region));
    scene.add(place, format!("tally-{code}"), tally(state, region, asked));
    scene.add(place, format!("lit-{code}"), lit(rules, state, region, asked));
    let data = &rules.book.regions[region.index()];
    for space in 0..data.spaces.len() {
        scene.class(space_key(region, space), space_class(state, region, space));
    }
}

/// The class of a space: who holds it.
fn space_class(state: &State, region: Region, space: usize) -> &'static str {
    if space <= usize::from(state.at(region)) { "spot allied" } else { "spot axis" }
}

/// The name of a space on a battle track.
pub fn space_key(region: Region, space: usize) -> String {
    format!("space-{}-{space}", region.code())
}

/// The front: what each side holds, the flag on the map, the marker on the track. Rule 2.4.
fn front(rules: &Rules, state: &State, region: Region) -> Markup {
    let data = &rules.book.regions[region.index()];
    let count = data.spaces.len();
    let at = usize::from(state.at(region)).min(count - 1);
    let x = space_x(at, count);
    let (map_x, map_y) = on_card(region, geography::places(region, count)[at]);
    let under_attack = state.region == region && is_attack(state);
    html! {
        g #{"front-" (region.code())} .front.attacked[under_attack] {
            g.flag.glide id={"flag-" (region.code())} transform=(format!("translate({map_x:.1} {map_y:.1})")) {
                path.pole d="M0 0V-24" {}
                path.cloth d="M0 -24h17l-5 5.5 5 5.5h-17z" {}
                circle.foot r="4.5" {}
            }
            g.marker.glide id={"marker-" (region.code())} transform=(format!("translate({x:.1} {TRACK_Y})")) {
                circle.rim r="22" {}
                path.half.allied d="M0 -18.5a18.5 18.5 0 0 0 0 37z" {}
                path.half.axis d="M0 -18.5a18.5 18.5 0 0 1 0 37z" {}
                text.points y="6" { (data.vp[at]) }
            }
        }
    }
}

/// What can be chosen here, with an arrow to where it leads; or why not.
fn lit(rules: &Rules, state: &State, region: Region, asked: &Asked<'_, Choice>) -> Markup {
    let count = rules.book.regions[region.index()].spaces.len();
    let x = space_x(usize::from(state.at(region)), count);
    let belongs = |choice: Choice| matches!(choice, Choice::Attack(of) | Choice::Advance(of) if of == region);
    let open = asked.names(belongs);
    let closed = if open.is_none() { asked.reason(belongs) } else { None };
    let target = rules.next_space(state, rules.human, region);
    html! {
        g #{"lit-" (region.code())} .lit[open.is_some()] data-choice=[&open] data-closed=[closed] {
            @if open.is_some() {
                rect.hit x="2" y="2" width=(WIDTH - 4.0) height=(HEIGHT - 4.0) rx="6" {}
                @if let Some(target) = target {
                    circle.aim cx=(format!("{:.1}", space_x(usize::from(target), count))) cy=(TRACK_Y) r="21" {}
                    (arrow(x, space_x(usize::from(target), count)))
                }
            } @else if closed.is_some() {
                rect.shut x="2" y="2" width=(WIDTH - 4.0) height=(HEIGHT - 4.0) rx="6" {}
            }
        }
    }
}

/// An arrow over the track from the front to the space that an attack aims at.
fn arrow(from: f64, to: f64) -> Markup {
    let (y, peak) = (TRACK_Y - 24.0, TRACK_Y - 40.0);
    let middle = f64::midpoint(from, to);
    let back = if to > from { -7.0 } else { 7.0 };
    html! {
        path.arrow d=(format!("M{from:.1} {y}Q{middle:.1} {peak} {to:.1} {y}")) {}
        path.arrowhead d=(format!("M{to:.1} {:.1}l{back} -3l{:.1} -6z", y + 3.0, -back / 3.0)) {}
    }
}

const fn is_attack(state: &State) -> bool {
    use echoes::Phase;
    matches!(state.phase, Phase::BeforeAttack | Phase::AttackDie | Phase::AfterAttack | Phase::RerollDie)
}

/// What an attack of each side needs here now, with its modifier. Rule 2.3.3.
fn needs(rules: &Rules, state: &State, region: Region) -> Markup {
    html! {
        g #{"needs-" (region.code())} {
        @for (row, side) in [Side::Allies, Side::Axis].into_iter().enumerate() {
            @let need = rules.need(state, side, region);
            @let bonus = rules.lead_modifier(state, side, region) + rules.usa_modifier(state, side, region);
            @let class = if side == Side::Allies { "allied" } else { "axis" };
            g.need.(class) transform=(format!("translate({} {})", WIDTH - 104.0, 9.0 + 24.0 * row as f64)) {
                title {
                    @if need > 0 { "An attack by the " (side) " " (rules.attack_words(state, side, region, 0)) }
                    @else { "The " (side) " can advance no further here" }
                }
                rect width="96" height="20" rx="10" {}
                text x="10" y="14.5" { @if side == Side::Allies { "Allies" } @else { "Axis" } }
                text.number x="87" y="15" {
                    @if need == 0 { "–" }
                    @else { (need) @if bonus != 0 { " " (format!("{bonus:+}")) } }
                }
            }
        }
        }
    }
}

/// What is recorded for the region: X on the campaign track, attacks of this turn, its Tide of War box. Rules 2.4,
/// 3.3.4, 2.5.
fn tally(state: &State, region: Region, asked: &Asked<'_, Choice>) -> Markup {
    let at = region.index();
    let used = state.tow_used.has(region);
    let belongs = |choice: Choice| match choice {
        Choice::TowShift(of, _) | Choice::TowReroll(of) => of == region,
        _ => false,
    };
    let open = asked.names(belongs);
    let closed = if open.is_none() { asked.reason(belongs) } else { None };
    html! {
        g #{"tally-" (region.code())} {
        text.campaign x="12" y=(MAP_HEIGHT - 10.0) {
            title { "X on the campaign track: Allies " (state.x[0][at]) ", Axis " (state.x[1][at]) }
            "✕ " tspan.allied { (state.x[0][at]) } " : " tspan.axis { (state.x[1][at]) }
        }
        @for n in 0..state.attacks[at] {
            circle.attack cx=(78.0 + 13.0 * f64::from(n)) cy=(MAP_HEIGHT - 14.0) r="4.5" {
                title { "Attacked " (state.attacks[at]) " of 2 times this turn" }
            }
        }
        g.tow.used[used].lit[open.is_some()] data-choice=[open] data-closed=[closed]
            transform=(format!("translate({} {})", WIDTH - 84.0, MAP_HEIGHT - 31.0)) {
            title { "Tide of War box" @if used { ": used" } @else { ": free" } }
            rect.back width="76" height="24" rx="4" {}
            rect.box x="5" y="4.5" width="15" height="15" rx="2" {}
            @if used { path.cross d="M7.5 7l10 10m0-10l-10 10" {} }
            text x="26" y="16" { "Tide" }
        }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_broken_between_words() {
        assert_eq!(wrapped("Tripoli and Malta", 9), ["Tripoli", "and Malta"]);
        assert_eq!(wrapped("The Philippines", 11), ["The", "Philippines"]);
        assert_eq!(wrapped("Berlin", 11), ["Berlin"]);
    }
}
