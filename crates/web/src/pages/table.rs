//! The table: one page for every game.

use kernel::{MatchDice, Viewer};
use maud::{Markup, PreEscaped, html};

use crate::assets;
use crate::live::Live;
use crate::lobby::Requester;
use crate::pages::layout::{Page, document, icon, settings_dialog};
use crate::pages::{log, odds, seats, talk};
use crate::prefs::Prefs;
use crate::scene::Part;
use crate::title::Title;
use crate::update;

/// Links to share, shown to players and to the match's creator.
pub struct Links {
    /// The path of the viewer's link; `None` if it was revoked.
    pub viewer: Option<String>,
    /// The seats of others.
    pub seats: Vec<SeatLink>,
    /// The path of the viewer's own seat, for another window or device.
    pub own: Option<String>,
    /// Their seat.
    pub own_seat: Option<u8>,
    /// Whether they created the match, and so decide about its links.
    pub is_maker: bool,
}

/// The link of a seat.
pub struct SeatLink {
    /// The number of the seat.
    pub seat: u8,
    /// Its title.
    pub title: String,
    /// The path; `None` if it was revoked or is not shown any more.
    pub path: Option<String>,
    /// Whether somebody has taken the seat.
    pub is_taken: bool,
    /// Whether an account keeps it, so that there can be no link.
    pub is_kept: bool,
}

/// What a visitor who is signed in can do with the seat.
pub struct Member<'a> {
    /// Whether it is kept by their account.
    pub keeps_this: bool,
    /// Whether their account may keep it.
    pub may_keep: bool,
    /// The match.
    pub match_id: &'a str,
}

/// What the page is drawn for.
pub struct Visit<'a> {
    /// Who looks.
    pub viewer: Viewer,
    /// The path of the table: `/m/<id>/<token>`.
    pub path: &'a str,
    /// Whether the visitor owns the lobby.
    pub owner: bool,
    /// How many steps they have already seen.
    pub seen: Option<usize>,
    /// Links to share.
    pub links: Option<Links>,
    /// Their account, if they are signed in.
    pub member: Option<Member<'a>>,
    /// What they have for talk and notes, where people meet.
    pub talk: Option<talk::Panel>,
}

/// Parts of the page around the board that a lesson may point at.
pub const PLACES: [&str; 14] = [
    "turn",
    "prompt",
    "choices",
    "tray",
    "pace",
    "chance",
    "log",
    "tab-log",
    "tab-odds",
    "tab-rules",
    "slider",
    "time",
    "board",
    "side",
];

/// The whole page.
pub fn page(prefs: Prefs, live: &Live, visit: &Visit<'_>) -> Markup {
    let table = &*live.table;
    let viewer = visit.viewer;
    let scene = update::scene(live, viewer);
    let part = |key: &str| {
        let found = scene.parts.iter().find(|Part(of, ..)| of == key);
        PreEscaped(found.map_or("", |Part(_, _, html)| html.as_str()))
    };
    let log_from = log::first_page(live, visit.seen);
    let steps = table.steps();
    let actions = live.title.actions(table, log_from..steps, viewer);
    let role = match viewer {
        Viewer::Seat(seat) => table.seats()[seat.index()].title,
        Viewer::Spectator => "Watching",
    };
    let playing = matches!(viewer, Viewer::Seat(_));
    let sets_pace = playing || visit.owner;
    let by = Requester { viewer, owns_lobby: visit.owner };
    let body = html! {
        a.skip href="#choices" { "Skip to the choices" }
        header.bar #bar {
            @if visit.owner { a.home href="/" title="Back to the lobby" { "Maproom" } }
            @else if visit.member.is_some() { a.home href="/turns" title="Back to my matches" { "Maproom" } }
            @else { span.home { "Maproom" } }
            h1 { (live.name) }
            (part("turn"))
            span.role { (role) }
            span.link #link role="status" title="Connected" { span.sr { "Connected" } }
            nav.tools aria-label="Tools" {
                @if playing {
                    button type="button" data-act="undo" title="Undo the last choice (u)" { "Undo" }
                    button type="button" data-act="undo-turn" title="Undo the whole turn (Shift+U)" { "Undo turn" }
                }
                button.narrow type="button" data-act="log" title="Log (l)" { "Log" }
                button type="button" data-act="odds" title="Odds (o)" { "Odds" }
                button type="button" data-act="rules" title="Rulebook (r)" { "Rules" }
                @if let Some(talk) = &visit.talk {
                    button type="button" data-act="talk" title="Talk and notes (Shift+T)" {
                        @if talk.talks { "Talk" } @else { "Notes" }
                        span.unread data-unread="" hidden {}
                    }
                }
                button type="button" data-act="seats" title="Players; let a bot play for you (b)" { "Players" }
                @if live.may_review() {
                    a.button href={(visit.path) "/review"} title="Luck and skill, move by move" { "Review" }
                }
                @if let Some(member) = &visit.member {
                    a.button href={"/turns/next?after=" (member.match_id)} title="The next match in which it is your turn" { "Next" }
                }
                @if playing {
                    button type="button" data-act="orders" title="Standing orders: answers that you give in advance (Shift+O)" { "Orders" }
                }
                button type="button" data-act="share" title="Links, record, print" { "Share" }
                button type="button" data-act="settings" title="Settings" { "Settings" }
                @if prefs.debug { button type="button" data-act="debug" title="Debug drawer (d)" { "Debug" } }
                button type="button" data-act="help" title="Keyboard shortcuts (?)" aria-label="Help: keyboard shortcuts" { "?" }
            }
        }
        main.desk #desk {
            section.board #board aria-label="Board" {
                div.viewport #viewport tabindex="0" aria-label="Board. Plus and minus zoom, 0 fits the board; arrow keys scroll a zoomed board." {
                    div.sheet #sheet {
                        (scene.fill(live.title.sheet(table)))
                        div.moment #moment hidden {}
                    }
                }
                section.ending #ending aria-label="The end of the match" hidden {}
            }
            section.ask #ask aria-label="Decision" {
                button.grip #grip type="button" aria-expanded="false" aria-controls="ask" aria-label="Pull up the decision" { i {} }
                (part("coach"))
                (part("prompt"))
                (part("clocks"))
                (part("agreements"))
                (part("standing-orders"))
                (part("presence"))
                (part("in-force"))
                (film())
                (away())
                (part("thinking"))
                (part("pace"))
                (pace_settings())
                (part("chance"))
                div.hint #hint role="region" aria-label="Hint" aria-live="polite" hidden {}
                (part("tray"))
                (part("choices"))
            }
            // Beside the choices, and never over them.
            div.choice-note #choice-note role="note" hidden {}
            aside.side #side aria-label="Log and rules" {
                div.tabs role="tablist" {
                    button #tab-log role="tab" type="button" aria-selected="true" aria-controls="panel-log" data-tab="log" { "Log" }
                    button #tab-odds role="tab" type="button" aria-selected="false" aria-controls="panel-odds" data-tab="odds" { "Odds" }
                    button #tab-rules role="tab" type="button" aria-selected="false" aria-controls="panel-rules" data-tab="rules" { "Rules" }
                    @if let Some(talk) = &visit.talk { (talk::tab(talk)) }
                    @if prefs.debug {
                        button #tab-debug role="tab" type="button" aria-selected="false" aria-controls="panel-debug" data-tab="debug" { "Debug" }
                    }
                }
                button.side-close type="button" data-act="close-side" aria-label="Back to the board" { "✕" }
                div.panel #panel-log role="tabpanel" aria-labelledby="tab-log" tabindex="0" {
                    ol.log #log { (log::lines(live, &actions, visit.seen)) }
                }
                div.panel #panel-odds role="tabpanel" aria-labelledby="tab-odds" tabindex="0" hidden {
                    div.odds #odds { (odds::all(live.title.id(), table, viewer)) }
                }
                div.panel #panel-rules role="tabpanel" aria-labelledby="tab-rules" tabindex="0" hidden {
                    form.find #find role="search" {
                        label { span.sr { "Search the rulebook" } input type="search" name="words" placeholder="Search the rulebook"; }
                    }
                    div #hits {}
                    div #rules {}
                }
                @if let Some(talk) = &visit.talk { (talk::panel(talk)) }
                @if prefs.debug {
                    div.panel #panel-debug role="tabpanel" aria-labelledby="tab-debug" tabindex="0" hidden {
                        div.debug #debug {}
                    }
                }
            }
        }
        footer.time #time {
            button type="button" data-act="first" aria-label="First step" { (icon("M3 2v12M14 2v12L5 8z")) }
            button type="button" data-act="back" aria-label="Previous step" { (icon("M12 2v12L3 8z")) }
            input #slider type="range" autocomplete="off" min="0" max=(steps) value=(steps) step="1" aria-label="Step of the match";
            button type="button" data-act="forward" aria-label="Next step" { (icon("M4 2v12l9-6z")) }
            button type="button" data-act="now" aria-label="Current position" { (icon("M13 2v12M2 2v12l9-6z")) }
            output #step for="slider" { (steps) " / " (steps) }
            div.zoom role="group" aria-label="Zoom" {
                button type="button" data-act="zoom-out" aria-label="Zoom out" { "−" }
                button type="button" data-act="zoom-in" aria-label="Zoom in" { "+" }
                button type="button" data-act="zoom-fit" aria-label="Fit the board" { (icon("M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4")) }
            }
        }
        div.banner #banner role="alert" hidden {}
        div.sr #say aria-live="polite" {}
        div.toasts #toasts aria-live="assertive" {}
        div.pick #pick role="menu" aria-label="Which one?" hidden {}
        (help_dialog(&*live.title, playing, sets_pace))
        (share_dialog(live, visit, &part("fair-dice")))
        (seats::dialog(live, part("seating")))
        (settings_dialog(prefs))
        @if live.proceedings.sitting_down.is_some() { script type="module" src=(assets::url("numbers.js")) {} }
        @if live.coached.is_some() { script type="module" src=(assets::url("coach.js")) {} }
        @if visit.talk.is_some() {
            // Not in the panel: what is hidden is not read out.
            div.sr #talk-news aria-live="polite" {}
            script type="module" src=(assets::url("talk.js")) {}
        }
        script type="application/json" #match {
            (PreEscaped(serde_json::json!({
                "path": visit.path,
                "game": live.title.id(),
                "revision": live.revision,
                "steps": steps,
                "logFrom": log_from,
                "since": table.last_decision(viewer),
                "seat": if let Viewer::Seat(seat) = viewer { Some(seat.0) } else { None },
                "over": live.is_over(),
                "seen": visit.seen,
                "returns": live.shows_what_was_missed(viewer),
                "away": live.away(viewer).map(|away| serde_json::json!({ "from": away.from, "since": away.since })),
                "plays": playing,
                "setsPace": sets_pace,
                "classes": scene.classes(),
            }).to_string().replace('<', "\\u003c")))
        }
    };
    let mut styles = vec![
        assets::url("table.css"),
        assets::url("happened.css"),
        assets::url("rulebook.css"),
        assets::url("phone.css"),
        live.title.style_url().to_owned(),
    ];
    styles.extend((live.company.meets || visit.talk.is_some()).then(|| assets::url("talk.css")));
    styles.extend(live.coached.is_some().then(|| assets::url("coach.css")));
    let mut class = "table".to_owned();
    for (holds, word) in
        [(sets_pace, " sets-pace"), (live.is_maker(by), " maker"), (prefs.no_chance, " no-chance")]
    {
        class.push_str(if holds { word } else { "" });
    }
    document(
        prefs,
        &Page { title: &live.name, class: &class, styles: &styles, script: Some("table.js"), body },
    )
}

/// What is happening without the viewer, step by step; the script fills it.
fn film() -> Markup {
    html! {
        div.film #film role="region" aria-label="What is happening" hidden {
            p.where {}
            div.dice.tray {}
            div.words {}
            p.buttons {
                button type="button" data-act="film-go" title="The next step (Enter)" { "Next " kbd { "Enter" } }
                button type="button" data-act="film-end" title="Skip to where the match stands now (Esc)" { "To the end " kbd { "Esc" } }
            }
        }
    }
}

/// What happened while a player was away, offered to them; the script fills it.
fn away() -> Markup {
    html! {
        div.film.away #away role="region" aria-label="While you were away" hidden {
            p.what {}
            p.buttons {
                button.go-on type="button" data-act="away-show" { "Show me" }
                button type="button" data-act="away-no" { "No thanks" }
            }
        }
    }
}

/// How the page shows what happens; kept in the browser.
fn pace_settings() -> Markup {
    let check = |key: &str, on: bool, words: &str| {
        html! { label.check { input type="checkbox" data-film=(key) checked[on]; " " (words) } }
    };
    html! {
        div.pace-more {
            button #replay type="button" data-act="replay" title="What happened since your last decision, once more (t)" hidden {
                "Replay their turn " kbd { "t" }
            }
            details {
                summary { "More" }
                (check("play", true, "Show what happens step by step"))
                (check("hold", true, "Hold the moment of combat until I go on"))
                (check("turns", false, "Stop at each turn"))
            }
        }
    }
}

fn share_dialog(live: &Live, visit: &Visit<'_>, fair_dice: &PreEscaped<&str>) -> Markup {
    html! {
        dialog #share aria-labelledby="share-title" {
            h2 #share-title { "Share" }
            @if let Some(links) = &visit.links {
                p { "Anyone with a link can use it. Give a player's link only to that player." }
                ul.links {
                    li {
                        @if let Some(path) = &links.viewer {
                            label for="link-viewer" { "Watch" }
                            input #link-viewer readonly data-path=(path);
                            button type="button" data-copy="link-viewer" { "Copy" }
                        } @else {
                            span { "Watch: no link" }
                        }
                        @if links.is_maker {
                            (change_link(visit.path, "watch", links.own.is_some() && links.viewer.is_some()))
                        }
                    }
                    @for (at, link) in links.seats.iter().enumerate() {
                        li {
                            @if link.is_kept {
                                span { "Play the " (link.title) ": kept by an account" }
                            } @else if let Some(path) = &link.path {
                                label for=(format!("link-{at}")) { "Play the " (link.title) }
                                input #{"link-" (at)} readonly data-path=(path);
                                button type="button" data-copy={"link-" (at)} { "Copy" }
                            } @else if link.is_taken {
                                span { "Play the " (link.title) ": somebody has taken this seat" }
                            } @else {
                                span { "Play the " (link.title) ": no link" }
                            }
                            @if !link.is_kept {
                                (change_link(visit.path, &link.seat.to_string(), link.path.is_some() || link.is_taken))
                            }
                        }
                    }
                    @if let Some(own) = &links.own {
                        li {
                            label for="link-own" { "Your own link, for another device" }
                            input #link-own readonly data-path=(own);
                            button type="button" data-copy="link-own" { "Copy" }
                            @if let Some(seat) = links.own_seat {
                                (change_link(visit.path, &seat.to_string(), false))
                            }
                        }
                    }
                }
            }
            @if let Some(member) = &visit.member { (keeping(visit.path, member)) }
            @if live.hides() {
                p { "You can download the record of the match when the game is over: until then it would give away hidden information." }
            }
            p {
                @if !live.hides() {
                    a href={(visit.path) "/export"} download { "Download the record" } " · "
                }
                a href={(visit.path) "/print"} { "Print this position" } " · "
                a href={(visit.path) "/print?blank=1"} { "Print a blank sheet" }
            }
            @if let MatchDice::Fair { seed: Some(seed), .. } = live.table.dice() {
                p { small {
                    "This match was started with the seed " b { (seed) }
                    ". The same seed gives the same dice, so anyone who knows it can work out every roll."
                } }
            } @else if let MatchDice::Fair { commitment, shares, .. } = live.table.dice()
                && shares.is_empty()
            {
                p { small {
                    "The dice follow from a secret that was fixed before the first choice. Its SHA-256 is "
                    code { (commitment) }
                    ". The record contains the secret once the game is over."
                } }
            }
            @if live.proceedings.sitting_down.is_some() || !live.table.dice().shares().is_empty() {
                div #share-dice { (fair_dice) }
            }
            p.buttons { button type="button" data-close="" { "Close" } }
        }
    }
}

/// Keeping the seat in one's account, or giving it back to a link.
fn keeping(path: &str, member: &Member<'_>) -> Markup {
    html! {
        @if member.may_keep {
            form.keep method="post" action={(path) "/keep"} {
                p { "Keep this seat in your account: then you need no link on any device, it stands in your list, and this link "
                    "stops working." }
                p.buttons { button #keep-seat type="submit" { "Keep this seat" } }
            }
        } @else if member.keeps_this {
            form.keep method="post" action={(path) "/release"} {
                p { "Your account keeps this seat. Give it up, and whoever has its new link can play it." }
                p.buttons { button type="submit" { "Give it up and make a link" } }
            }
        }
    }
}

/// Buttons that renew or revoke a link. They are a form, which shows the table again with the new link.
fn change_link(path: &str, link: &str, may_revoke: bool) -> Markup {
    html! {
        form.renew method="post" action={(path) "/links"} {
            input type="hidden" name="link" value=(link);
            button type="submit" name="change" value="renew"
                title="Makes a new link. The old one stops working, also for those who have the table open." { "New link" }
            @if may_revoke {
                button type="submit" name="change" value="revoke"
                    title="The link stops working, also for those who have the table open." { "Revoke" }
            }
        }
    }
}

/// The keyboard shortcuts; the flag marks those for players only.
const KEYS: &[(&str, &str, bool)] = &[
    ("1 2 3 …", "Make the choice with that number", true),
    ("Enter", "Make the default choice, or the focused one", true),
    ("↓ ↑  or  j k", "Move through the choices", true),
    ("u", "Undo the last choice", true),
    ("Shift+U", "Undo the whole turn", true),
    ("o", "Odds", false),
    ("Shift+O", "Standing orders; a right click on a choice makes one of it", true),
    ("l", "Log", false),
    ("r", "Rulebook, at the rule in question", false),
    ("w", "Why not? What is not possible now, and why", true),
    (", and .", "Previous step, next step", false),
    ("Home, End", "First step, current position", false),
    ("f", "Start a new match from the position shown (solo)", true),
    ("t", "Replay what happened since your last decision", false),
    ("h", "Hint: the best choice the bot can find (solo)", true),
    ("b", "Players; let a bot play for you", false),
    ("Shift+T", "Talk and notes, where people meet", false),
    ("+ − 0", "Zoom in, zoom out, fit the board", false),
    ("Ctrl+wheel, pinch", "Zoom; drag to scroll a zoomed board", false),
    ("Arrows", "Scroll a zoomed board that has the focus", false),
    ("s", "Links, record, print", false),
    ("d", "Debug drawer, if enabled in the settings", false),
    ("Esc", "Close a dialog; back to the current position", false),
    ("?", "This list", false),
];

fn help_dialog(title: &dyn Title, playing: bool, sets_pace: bool) -> Markup {
    let pieces = playing && title.pieces();
    html! {
        dialog #help aria-labelledby="help-title" {
            h2 #help-title { "Help" }
            h3 { "Keyboard shortcuts" }
            dl.keys {
                @for (keys, what, for_players) in KEYS {
                    @if playing || !for_players {
                        div { dt { kbd { (keys) } } dd { (what) } }
                    }
                }
                div { dt { kbd { "Space" } } dd { "Pause or resume what happens" } }
                @if sets_pace {
                    div { dt { kbd { "n" } } dd { "Make a thinking bot play now" } }
                }
            }
            @if pieces {
                p { "Pick up one of your pieces with a click, a tap, a drag, or with " kbd { "Enter" } " when it has the focus; the places "
                    "where it can go light up. Point at one to see what would happen; on a touch screen the first tap "
                    "shows it and the second puts the piece down. " kbd { "Esc" } " puts it back." }
            }
            p { "The mouse works for everything, too: click what is lit on the board. Point at a sign to read what it is; on a touch "
                "screen press it for a moment." }
            @if !title.legend().is_empty() {
                h3 { "Signs and abbreviations" }
                dl.keys.legend-list { @for (sign, words) in title.legend() { div { dt { (sign) } dd { (words) } } } }
            }
            p.buttons { button type="button" data-close="" { "Close" } }
        }
    }
}
