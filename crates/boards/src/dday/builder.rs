//! The attack builder: who takes part in a combat, what each of them would add, and the exact chances before anybody rolls.
//! Rules 11.4, 11.5, 12.3 to 12.8.

use dday::{Choice, Fight, Gun, NOBODY, Rules, Stage, State, percent};
use maud::{Markup, html};
use terrain::Cell;

use super::figures::{Outcome, bar, outcomes, sum};
use super::{counter, trace};
use web::{Asked, Scene};

/// The panel; hidden where no combat is put together. It is pinned over the map, which scrolls and zooms below it.
pub fn draw(rules: &Rules, s: &State, asked: &Asked<'_, Choice>, scene: &mut Scene) {
    let act = &s.act;
    let (target, body) = match s.stage {
        Stage::AssaultLead => (act.to, leads(rules, s, asked)),
        Stage::AssaultForce
        | Stage::AssaultAnswer
        | Stage::AssaultFire
        | Stage::AssaultDie
        | Stage::DefenderSave
        | Stage::AttackerSave => (act.to, assault(rules, s, asked)),
        Stage::RangedTarget => (act.from, targets(rules, s, asked)),
        Stage::RangedFire | Stage::RangedDie | Stage::RangedSave if act.foe != NOBODY => {
            (s.unit(act.foe).zone, ranged(rules, s, asked))
        }
        _ => {
            scene.add("builder-place", "builder", html! { section #builder .builder hidden {} });
            return;
        }
    };
    let side = if lies_east(rules, target) { "west" } else { "east" };
    let panel = html! { section #builder .builder.(side) data-speaks-of=(trace::zone_anchor(rules, target)) aria-label="Attack" { (body) } };
    scene.add("builder-place", "builder", panel);
}

/// Whether a zone lies in the eastern half: the panel keeps to the other one, so as not to cover it.
fn lies_east(rules: &Rules, zone: Cell) -> bool {
    let grid = rules.scenario.grid;
    usize::from(zone) < grid.len() && u16::from(grid.column(zone)) * 2 > u16::from(grid.cols())
}

// --- rows -----------------------------------------------------------------------------------------

/// A participant: chosen already, or to be added by a click.
struct Row {
    sign: Markup,
    name: String,
    /// What it adds, or would add.
    worth: String,
    choice: Option<String>,
}

fn row(row: &Row) -> Markup {
    html! {
        li {
            @if row.choice.is_some() {
                button.row type="button" data-choice=[row.choice.as_ref()] {
                    svg.tick viewBox="0 0 24 24" aria-hidden="true" { use href="#i-plus" {} }
                    (row.sign) span { (row.name) } b { (row.worth) }
                }
            } @else {
                div.row.in {
                    svg.tick viewBox="0 0 24 24" aria-hidden="true" { use href="#i-tick" {} }
                    (row.sign) span { (row.name) } b { (row.worth) }
                }
            }
        }
    }
}

fn group(title: &str, rows: &[Row]) -> Markup {
    html! { @if !rows.is_empty() { h4 { (title) } ul.rows { @for one in rows { (row(one)) } } } }
}

fn icon(sign: &str) -> Markup {
    html! { svg.mini.icon viewBox="0 0 24 24" aria-hidden="true" { use href={"#i-" (sign)} {} } }
}

fn unit_row(rules: &Rules, unit: u8, worth: String, choice: Option<String>) -> Row {
    Row { sign: counter::small(rules, unit), name: rules.unit_name(unit).to_owned(), worth, choice }
}

fn gun_row(rules: &Rules, gun: Gun, worth: String, choice: Option<String>) -> Row {
    match gun {
        Gun::Battalion(unit) => unit_row(rules, unit, worth, choice),
        Gun::Corps => Row { sign: icon("gun"), name: "Corps artillery".to_owned(), worth, choice },
        Gun::Air => Row { sign: icon("air"), name: "Aircraft".to_owned(), worth, choice },
    }
}

/// The supports by fire of one side: those named, then those that may be added.
fn fire_rows(rules: &Rules, s: &State, ours: usize, open: Vec<Row>) -> Vec<Row> {
    let fire = &s.act.fire[ours];
    let worth = || if ours == 0 { "+1" } else { "−1" }.to_owned();
    let guns = fire.guns.into_iter().map(Gun::Battalion);
    let corps = (0..fire.corps).map(|_| Gun::Corps);
    let air = (0..fire.air).map(|_| Gun::Air);
    let mut rows: Vec<Row> =
        guns.chain(corps).chain(air).map(|gun| gun_row(rules, gun, worth(), None)).collect();
    rows.extend(open);
    rows
}

/// Takes back what was put together, as long as nobody has rolled or answered. The client undoes choice by choice while the
/// panel is there.
fn cancel(asked: &Asked<'_, Choice>) -> Markup {
    html! {
        @if !asked.open.is_empty() {
            button.cancel-button type="button" data-act="cancel" data-while="#builder:not([hidden])"
                title="Take back this attack (nothing has been rolled)" { "Cancel" }
        }
    }
}

/// The attacker's word that adds everybody who helps. Ruling R61.
fn all_who_help(rules: &Rules, s: &State, asked: &Asked<'_, Choice>) -> Markup {
    let open = asked.names(|choice| choice == Choice::WithAll);
    html! {
        @if open.is_some() {
            button.row.all-help type="button" data-choice=[open] title=(rules.label(s, Choice::WithAll)) {
                svg.tick viewBox="0 0 24 24" aria-hidden="true" { use href="#i-plus" {} }
                (icon("plus")) span { "All who help" } b {}
            }
        }
    }
}

/// A choice without a place, as the large button of the panel.
fn go(asked: &Asked<'_, Choice>, wanted: Choice, words: &str) -> Markup {
    let open = asked.names(|choice| choice == wanted);
    html! { @if open.is_some() { button.go-button type="button" data-choice=[open] { (words) } } }
}

// --- assault --------------------------------------------------------------------------------------

/// The chance to win, of a thousand.
fn wins(rules: &Rules, s: &State, fight: &Fight) -> Option<u16> {
    let odds = rules.assault_odds(s, &rules.likely_defender(s, fight)?);
    Some((odds.shattered + odds.lost) * 10)
}

/// "+7 %": how the chance to win changes.
fn change(before: Option<u16>, after: Option<u16>) -> String {
    let (Some(before), Some(after)) = (before, after) else { return String::new() };
    if after >= before {
        format!("+{}", percent(after - before))
    } else {
        format!("−{}", percent(before - after))
    }
}

fn heading(rules: &Rules, s: &State, verb: &str) -> Markup {
    html! {
        header {
            svg.seal-icon viewBox="-13 -13 26 26" aria-hidden="true" { use href="#swords" {} }
            h3 { (verb) " " (rules.scenario.zone_title(s.act.to)) }
            p { "from " (rules.scenario.zone_title(s.act.from)) }
        }
    }
}

/// Who could lead, with the chances of each.
fn leads(rules: &Rules, s: &State, asked: &Asked<'_, Choice>) -> Markup {
    let mut rows = Vec::new();
    for (choice, name) in asked.open {
        let Choice::Lead(unit) = *choice else { continue };
        let fight = Fight { lead: unit, ..rules.fight(s) };
        let worth = wins(rules, s, &fight).map_or_else(String::new, percent);
        rows.push(unit_row(rules, unit, worth, Some(name.clone())));
    }
    html! {
        (heading(rules, s, if s.night { "Raid on" } else { "Assault on" }))
        (group("Who leads? The chance of success without supports", &rows))
        @if rows.is_empty() { p.wait { "The attacker chooses the leading battalion." } }
        div.go-row { (cancel(asked)) }
    }
}

fn assault(rules: &Rules, s: &State, asked: &Asked<'_, Choice>) -> Markup {
    let fight = rules.fight(s);
    let now = wins(rules, s, &fight);
    let (mut beside, mut zones, mut fire, mut answer, mut defenders) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    beside.extend(fight.supports.into_iter().map(|unit| unit_row(rules, unit, String::new(), None)));
    zones.extend(s.act.joined.into_iter().map(|unit| unit_row(rules, unit, String::new(), None)));
    for (choice, name) in asked.open {
        let worth = |fight: Fight| change(now, wins(rules, s, &fight));
        let name = Some(name.clone());
        match *choice {
            Choice::With(unit) => {
                let mut supports = fight.supports;
                supports.insert(unit);
                beside.push(unit_row(rules, unit, worth(Fight { supports, ..fight }), name));
            }
            Choice::Join(unit) => {
                zones.push(unit_row(rules, unit, worth(Fight { zones: fight.zones + 1, ..fight }), name));
            }
            Choice::Fire(gun) if s.stage == Stage::AssaultFire => {
                answer.push(gun_row(rules, gun, worth(Fight { answer: fight.answer + 1, ..fight }), name));
            }
            Choice::Fire(gun) => {
                fire.push(gun_row(rules, gun, worth(Fight { fire: fight.fire + 1, ..fight }), name));
            }
            Choice::Defend(unit) => {
                let worth = wins(rules, s, &Fight { foe: unit, ..fight }).map_or_else(String::new, percent);
                defenders.push(unit_row(rules, unit, worth, name));
            }
            _ => {}
        }
    }
    if fight.foe != NOBODY {
        defenders.push(unit_row(rules, fight.foe, String::new(), None));
    }
    html! {
        (heading(rules, s, if s.night { "Raid on" } else { "Assault on" }))
        div.force-list {
            (group("Leads", &[unit_row(rules, fight.lead, String::new(), None)]))
            (all_who_help(rules, s, asked))
            (group("Beside it", &beside))
            (group("Supporting zones", &zones))
            (group("Fire", &fire_rows(rules, s, 0, fire)))
            (group(if s.stage == Stage::AssaultAnswer { "Who defends? The attacker's chance" } else { "Defends" }, &defenders))
            (group("Defensive fire", &fire_rows(rules, s, 1, answer)))
        }
        @if let Some(fight) = rules.likely_defender(s, &fight) { (reckoning(rules, s, &fight)) }
        div.go-row {
            @if s.stage == Stage::AssaultForce { (cancel(asked)) }
            (go(asked, Choice::Attack, "Attack!"))
            (go(asked, Choice::Ready, "Ready"))
        }
    }
}

/// Numbers and chances of a fight.
fn reckoning(rules: &Rules, s: &State, fight: &Fight) -> Markup {
    let odds = rules.assault_odds(s, fight);
    html! {
        @if s.act.foe == NOBODY { p.against { "Against " (rules.unit_name(fight.foe)) ", which would fare best:" } }
        div.sums {
            (sum("Hit", "hit", &rules.assault_sum(s, fight)))
            (sum("Defender saves", "their", &rules.defender_sum(s, fight)))
            (sum("Attacker saves", "own", &rules.attacker_sum(s, fight)))
        }
        (bar(&outcomes(&odds)))
        @if let Some(worst) = rules.under_all_fire(s, fight) { (under_fire(rules, s, fight, &worst)) }
    }
}

/// The chances if the defender answers with all the fire that it could bring down. Rule 12.5.
fn under_fire(rules: &Rules, s: &State, fight: &Fight, worst: &Fight) -> Markup {
    let (now, then) = (rules.assault_odds(s, fight), rules.assault_odds(s, worst));
    let (low, high) = (percent(then.success()), percent(now.success()));
    let fire = worst.answer - fight.answer;
    html! {
        section.worst aria-label="Under all defensive fire" {
            p {
                @if low == high {
                    "Success " b { (high) } ", even under all possible defensive fire (−" (fire) ")."
                } @else {
                    "Success " b { (low) " to " (high) } ": with all possible defensive fire (−" (fire) ", hit on " (then.hit)
                    " or less) and without."
                }
            }
            (bar(&outcomes(&then)))
        }
    }
}

// --- fire from afar ---------------------------------------------------------------------------------

fn ranged_heading(rules: &Rules, s: &State) -> Markup {
    html! {
        header {
            svg.seal-icon viewBox="-13 -13 26 26" aria-hidden="true" { use href="#burst" {} }
            h3 { (rules.unit_name(s.act.lead)) }
            p { "fires at range" }
        }
    }
}

/// The targets with the chance that each must give way.
fn targets(rules: &Rules, s: &State, asked: &Asked<'_, Choice>) -> Markup {
    let mut rows = Vec::new();
    for (choice, name) in asked.open {
        let Choice::At(unit) = *choice else { continue };
        let (hit, save) = (rules.ranged_need(s.act.lead, unit, 0), rules.fire_save_need(s, s.act.lead, unit));
        let worth = percent(u16::from(hit) * u16::from(10 - save.min(10)) * 10);
        rows.push(unit_row(rules, unit, worth, Some(name.clone())));
    }
    html! {
        (ranged_heading(rules, s))
        (group("Which target? The chance that it gives way", &rows))
        @if rows.is_empty() { p.wait { "The target is being chosen." } }
        div.go-row { (cancel(asked)) }
    }
}

fn ranged(rules: &Rules, s: &State, asked: &Asked<'_, Choice>) -> Markup {
    let act = &s.act;
    let chance = |supports: u8| {
        let hit = rules.ranged_need(act.lead, act.foe, supports);
        u16::from(hit) * u16::from(10 - rules.fire_save_need(s, act.lead, act.foe).min(10)) * 10
    };
    let count = act.fire[0].count();
    let open = asked.open.iter().filter_map(|(choice, name)| match *choice {
        Choice::Fire(gun) => {
            let worth = change(Some(chance(count)), Some(chance(count + 1)));
            Some(gun_row(rules, gun, worth, Some(name.clone())))
        }
        _ => None,
    });
    let open = open.collect();
    let gives_way = chance(count);
    let what =
        if rules.troop(act.foe).detachment { "Lost: a detachment" } else { "Retreats or takes markers" };
    let outcomes: [Outcome; 2] =
        [("shattered", what, gives_way), ("holds", "Nothing happens", 1000 - gives_way)];
    html! {
        (ranged_heading(rules, s))
        div.force-list {
            (group("Target", &[unit_row(rules, act.foe, String::new(), None)]))
            (group("Fire support", &fire_rows(rules, s, 0, open)))
        }
        div.sums {
            (sum("Hit", "hit", &rules.ranged_sum(act.lead, act.foe, count)))
            (sum("Target saves", "their", &rules.fire_save_sum(s, act.lead, act.foe)))
        }
        (bar(&outcomes))
        div.go-row {
            @if s.stage == Stage::RangedFire { (cancel(asked)) }
            (go(asked, Choice::Attack, "Fire!"))
        }
    }
}
