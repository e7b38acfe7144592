//! Arrows: the assaults that could be made, and all who take part in the one that is being put together. Rules 12.1 to 12.5.

use dday::{Choice, DDay, NOBODY, Rules, Stage, State};
use maud::{Markup, html};
use terrain::Cell;

use super::chains;
use super::frame::{Point, Tenths, centre};
use web::{Asked, Scene};

/// The arrows of the moment.
pub fn draw(game: &DDay, s: &State, asked: &Asked<'_, Choice>, scene: &mut Scene) {
    let rules = game.rules();
    scene.add("over-units", "force", force(rules, s));
    scene.add("over-units", "assaults", assaults(game, s, asked));
    scene.add("over-units", "readies", readies(rules, s, asked));
}

/// A seal on every stack in contact that can be made ready, and on the group that waits for its die. Ruling R61.
fn readies(rules: &Rules, s: &State, asked: &Asked<'_, Choice>) -> Markup {
    let grid = rules.scenario.grid;
    let seals = asked.open.iter().filter_map(|(choice, name)| match *choice {
        Choice::MakeReady(unit) => Some((s.unit(unit).zone, *choice, name)),
        Choice::Roll if s.stage == Stage::Group => Some((s.act.from, *choice, name)),
        _ => None,
    });
    let seals: Vec<(Cell, Choice, &String)> = seals.collect();
    html! {
        g #readies {
            @for (at, (zone, choice, name)) in seals.iter().enumerate() {
                // A second formation of the same stack has its seal beside the first.
                @let before = seals[..at].iter().filter(|(other, ..)| other == zone).count();
                @let Point { x, y } = centre(grid, *zone);
                @let words = rules.label(s, *choice);
                g #{"ready-" (grid.name(*zone)) "-" (before)} .ready.roll[*choice == Choice::Roll] role="button" tabindex="0"
                    data-choice=(name) aria-label=(words)
                    transform={"translate(" (Tenths(x + 41.0 - 27.0 * before as f64)) " " (Tenths(y - 42.0)) ")"} {
                    title { (words) }
                    @if *choice == Choice::Roll {
                        circle.seal r="13" {}
                        path.pip d="M0-8L7-3V5L0 9L-7 5V-3Z" {}
                    } @else {
                        use href="#swords" {}
                    }
                }
            }
        }
    }
}

/// The assaults that are open: an arrow over the edge of two zones. It names the best leader and all who help as well; who
/// wants to choose them points at the enemy's zone.
fn assaults(game: &DDay, s: &State, asked: &Asked<'_, Choice>) -> Markup {
    let rules = game.rules();
    let grid = rules.scenario.grid;
    let open = asked.open.iter().filter_map(|(choice, name)| match *choice {
        Choice::Assault { from, to } | Choice::Raid { from, to } => {
            Some((from, to, chains::assault(game, s, *choice, name)))
        }
        _ => None,
    });
    html! {
        g #assaults {
            @for (from, to, choice) in open {
                @let (start, end) = (centre(grid, from), centre(grid, to));
                @let at = start.towards(end, 0.5);
                g #{"assault-" (grid.name(from)) "-" (grid.name(to))} .assault role="button" tabindex="0" data-choice=(choice)
                    aria-label={"Assault " (rules.scenario.zone_title(to)) " from " (rules.scenario.zone_title(from))}
                    transform={"translate(" (at.x) " " (at.y) ") rotate(" (Tenths(angle(start, end))) ")"} {
                    title { "Assault " (rules.scenario.zone_title(to)) " from " (rules.scenario.zone_title(from)) }
                    path d="M-19-6H3V-15L21 0L3 15V6H-19Z" {}
                }
            }
        }
    }
}

/// How a way lies, in degrees from the east.
fn angle(from: Point, to: Point) -> f64 {
    (to.y - from.y).atan2(to.x - from.x).to_degrees()
}

/// Who takes part in the combat that is being put together.
fn force(rules: &Rules, s: &State) -> Markup {
    let act = &s.act;
    let grid = rules.scenario.grid;
    let assault = matches!(
        s.stage,
        Stage::AssaultLead
            | Stage::AssaultForce
            | Stage::AssaultAnswer
            | Stage::AssaultFire
            | Stage::AssaultDie
            | Stage::DefenderSave
            | Stage::AttackerSave
    );
    let ranged = matches!(s.stage, Stage::RangedFire | Stage::RangedDie | Stage::RangedSave);
    let target = match () {
        () if assault => Some(act.to),
        () if ranged && act.foe != NOBODY => Some(s.unit(act.foe).zone),
        () => None,
    };
    let Some(to) = target else { return html! { g #force {} } };
    let end = centre(grid, to);
    let zone = |unit: u8| s.unit(unit).zone;
    let mut zones: Vec<Cell> = act.joined.into_iter().map(zone).collect();
    zones.dedup();
    let mut guns: Vec<Cell> = act.fire[0].guns.into_iter().map(zone).collect();
    if ranged && act.lead != NOBODY {
        guns.push(zone(act.lead));
    }
    let answers: Vec<Cell> = act.fire[1].guns.into_iter().map(zone).collect();
    html! {
        g #force .force {
            rect.aim x=(end.x - 48.0) y=(end.y - 48.0) width="96" height="96" rx="8" {}
            @for from in guns { path.shells d=(arc(centre(grid, from), end)) {} }
            @for from in answers { path.shells.answer d=(arc(centre(grid, from), centre(grid, act.from))) {} }
            @for from in zones { path.thrust.side d=(thrust(centre(grid, from), end, 11.0)) {} }
            @if assault { path.thrust d=(thrust(centre(grid, act.from), end, 15.0)) {} }
        }
    }
}

/// The flight of shells: a bow from the gun to its target.
fn arc(from: Point, to: Point) -> String {
    let middle = from.towards(to, 0.5);
    let bow = from.distance(to) * 0.22;
    format!("M{from}Q{} {to}", Point::new(middle.x, middle.y - bow))
}

/// A broad arrow on the map, slender at its tail as staffs draw them.
fn thrust(from: Point, to: Point, half: f64) -> String {
    let length = from.distance(to).max(1.0);
    let (ux, uy) = ((to.x - from.x) / length, (to.y - from.y) / length);
    let at = |along: f64, aside: f64| {
        Point::new(from.x + ux * along - uy * aside, from.y + uy * along + ux * aside)
    };
    // From the rim of one counter to that of the other.
    let (tail, neck, tip) = (26.0, length - 44.0, length - 20.0);
    let mut path = format!("M{}", at(tail, half * 0.35));
    for (along, aside) in [
        (neck, half * 0.55),
        (neck - 4.0, half * 1.25),
        (tip, 0.0),
        (neck - 4.0, -half * 1.25),
        (neck, -half * 0.55),
        (tail, -half * 0.35),
    ] {
        path.push_str(&format!("L{}", at(along, aside)));
    }
    path.push('Z');
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_point_where_they_should() {
        let (here, there) = (Point::new(0.0, 0.0), Point::new(0.0, 100.0));
        assert_eq!(angle(here, there), 90.0);
        let path = thrust(here, there, 10.0);
        assert!(path.contains("L0 80"), "the tip lies before the target: {path}");
        assert!(arc(here, Point::new(100.0, 0.0)).starts_with("M0 0Q50 -22 100 0"));
    }
}
