//! Routes of the lobby: create, rename and delete matches, settings, rulebooks.

use std::time::Instant;

use axum::Json;
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use kernel::MatchDice;
use serde::Deserialize;
use serde_json::{Value, json};
use store::Shelf;

use super::off_days::OffDaysForm;
use super::table::Toned;
use super::{App, OWNER_COOKIE, Owner, TOO_MANY_KEYS, Visitor, page as as_page};
use crate::lobby::{LobbyError, NewMatch};
use crate::pages::{layout, lobby, rules, statistics};
use crate::prefs::{self, Prefs, Theme};
use crate::seating::MOST_SEATS;

/// Which matches the lobby shows.
#[derive(Default, Deserialize)]
pub struct Shown {
    #[serde(default)]
    shelf: String,
    /// From 1.
    #[serde(default)]
    page: usize,
}

/// The page: a page of a shelf of matches, however many there are.
pub async fn page(
    State(app): State<App>,
    Owner(visitor): Owner,
    Query(asked): Query<Shown>,
) -> Result<Html<String>, LobbyError> {
    let read = move |store: &dyn store::Store| {
        let counts = store.counts()?;
        // When the last match is over there is nothing to see on the first shelf.
        let is_finished = asked.shelf == "finished" || (counts.running == 0 && asked.shelf.is_empty());
        let shelf = if is_finished { Shelf::Finished } else { Shelf::Running };
        let last = counts.on(shelf).saturating_sub(1) / lobby::PER_PAGE;
        let page = asked.page.saturating_sub(1).min(last);
        let matches = store.page(shelf, page * lobby::PER_PAGE, lobby::PER_PAGE)?;
        Ok((counts, shelf, page, matches, store.list(true)?))
    };
    let (counts, shelf, page, mut matches, deleted) = app.lobby.with_store(read).await?;
    app.lobby.bring_up_to_date(&mut matches).await;
    let shown = lobby::LobbyPage {
        titles: app.lobby.titles(),
        counts,
        shelf,
        page,
        matches: &matches,
        deleted: &deleted,
        parted: &app.lobby.parted(),
        has_accounts: app.accounts.is_some(),
        now: app.lobby.now(),
        has_contests: app.lobby.contests().is_some(),
        has_laboratory: app.lobby.laboratory().is_some(),
    };
    Ok(as_page(&lobby::page(visitor.prefs, &shown)))
}

/// How the owner fared in all games that are over.
pub async fn statistics(State(app): State<App>, Owner(visitor): Owner) -> Result<Html<String>, LobbyError> {
    let read = |store: &dyn store::Store| Ok((store.list(false)?, store.finished()?));
    let (matches, finished) = app.lobby.with_store(read).await?;
    let played = statistics::Played { titles: app.lobby.titles(), matches: &matches, finished: &finished };
    Ok(as_page(&statistics::page(visitor.prefs, &played)))
}

/// A small picture of the opening position of a set-up or a lesson.
pub async fn picture(
    State(app): State<App>,
    _: Owner,
    Path((game, kind, id)): Path<(String, String, String)>,
    Query(toned): Query<Toned>,
) -> Result<Response, LobbyError> {
    let title = app.lobby.title(&game)?;
    let options = match kind.as_str() {
        "setup" => title.setups().iter().find(|setup| setup.id == id).map(|setup| &setup.options),
        "lesson" => {
            let lesson = title.lessons().iter().find(|lesson| lesson.file.id == id);
            lesson.map(|found| &found.lesson.options)
        }
        _ => None,
    };
    let options = options.ok_or(LobbyError::NotFound)?;
    let mut table = title.open(options, MatchDice::seeded(1)).map_err(LobbyError::Bad)?;
    table.play_forced(None);
    Ok(toned.picture(&**title, &*table))
}

/// Signs the owner in from another machine: the key becomes a cookie and leaves the address bar.
pub async fn enter(State(app): State<App>, visitor: Visitor, Path(key): Path<String>) -> Response {
    // The right key always works, whatever others at the same address have tried.
    if !app.is_key(&key) {
        if !app.limits.wrong_links.take(visitor.from, Instant::now()) {
            return (StatusCode::TOO_MANY_REQUESTS, TOO_MANY_KEYS).into_response();
        }
        let shown =
            layout::error_page(visitor.prefs, "Wrong key", "Use the address that the terminal shows.");
        return (StatusCode::FORBIDDEN, as_page(&shown)).into_response();
    }
    let cookie = format!("{OWNER_COOKIE}={key}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000");
    with_cookie(&app, cookie, Redirect::to("/"))
}

fn with_cookie(app: &App, mut cookie: String, answer: impl IntoResponse) -> Response {
    let mut headers = HeaderMap::new();
    if app.is_secure() {
        cookie.push_str("; Secure");
    }
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        headers.insert(header::SET_COOKIE, value);
    }
    (headers, answer).into_response()
}

/// The settings form.
#[derive(Deserialize)]
pub struct SettingsForm {
    #[serde(default)]
    theme: String,
    left: Option<String>,
    still: Option<String>,
    debug: Option<String>,
    chance: Option<String>,
    sound: Option<String>,
    clear: Option<String>,
}

/// Saves the settings in the browser, and for the owner in the store.
pub async fn settings(
    State(app): State<App>,
    visitor: Visitor,
    Form(form): Form<SettingsForm>,
) -> Result<Response, LobbyError> {
    let prefs = Prefs {
        theme: match form.theme.as_str() {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::System,
        },
        left_handed: form.left.is_some(),
        still: form.still.is_some(),
        debug: form.debug.is_some(),
        no_chance: form.chance.is_none(),
        sound: form.sound.is_some(),
        clear_colours: form.clear.is_some(),
    };
    if visitor.owner {
        app.lobby.set_default_prefs(prefs).await?;
    }
    let name = prefs::COOKIE;
    let text = prefs.text();
    let cookie = format!("{name}={text}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000");
    Ok(with_cookie(&app, cookie, StatusCode::NO_CONTENT))
}

/// Starts a match and redirects to its table.
pub async fn create(
    State(app): State<App>,
    Owner(visitor): Owner,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Redirect, LobbyError> {
    let mut order = order(fields)?;
    if order.rated && app.lobby.contests().is_none() {
        return Err(LobbyError::Bad("Only a house with accounts has rated matches.".to_owned()));
    }
    order.maker = visitor.signed_in.map(|signed_in| signed_in.account.id);
    let (id, token) = app.lobby.create(&order).await?;
    Ok(Redirect::to(&format!("/m/{id}/{token}")))
}

/// The form for a new game: `game`, `name`, `lesson`, `dice`, `seed`, `clock`, `off`, `zone`, `rated`, `quiet`, `option.KEY` and
/// `seat.NUMBER`.
pub(super) fn order(fields: Vec<(String, String)>) -> Result<NewMatch, LobbyError> {
    let mut order = NewMatch::default();
    let mut off = OffDaysForm::default();
    for (key, value) in fields {
        match key.as_str() {
            "off" | "zone" => off.take(&key, value),
            "game" => order.game = value,
            "name" => order.name = value,
            "lesson" => order.lesson = value,
            "clock" => order.clock = value,
            "rated" => order.rated = value == "yes",
            "quiet" => order.is_quiet = true,
            "dice" => order.own_dice = value == "own",
            "seed" if value.trim().is_empty() => {}
            "seed" => {
                let seed = value.trim().parse();
                order.seed = Some(seed.map_err(|_| {
                    LobbyError::Bad(format!("The seed {value:?} is not a whole number such as 7."))
                })?);
            }
            _ => {
                let seat = key.strip_prefix("seat.").and_then(|seat| seat.parse::<usize>().ok());
                if let Some(seat) = seat.filter(|seat| *seat < MOST_SEATS) {
                    order.seats.resize(order.seats.len().max(seat + 1), String::new());
                    order.seats[seat] = value;
                } else if let Some(option) = key.strip_prefix("option.") {
                    if !value.is_empty() {
                        order.options.insert(option.to_owned(), value);
                    }
                } else {
                    return Err(LobbyError::Bad(format!("unknown field {key:?}")));
                }
            }
        }
    }
    order.clock = off.with(order.clock);
    Ok(order)
}

/// The name of an imported file.
#[derive(Deserialize)]
pub struct ImportName {
    #[serde(default)]
    name: String,
    /// Whether to import only the steps that are the same under the current rules.
    #[serde(default)]
    common: bool,
}

/// Imports a record.
pub async fn import(
    State(app): State<App>,
    _: Owner,
    Query(file): Query<ImportName>,
    text: String,
) -> Result<Json<Value>, LobbyError> {
    let name = if file.name.is_empty() { "imported" } else { &file.name };
    let (id, token, notes) = app.lobby.import(name, &text, file.common).await?;
    Ok(Json(json!({ "path": format!("/m/{id}/{token}"), "notes": notes })))
}

/// A new name.
#[derive(Deserialize)]
pub struct NewName {
    name: String,
}

/// Renames a match.
pub async fn rename(
    State(app): State<App>,
    _: Owner,
    Path(id): Path<String>,
    Json(new): Json<NewName>,
) -> Result<StatusCode, LobbyError> {
    let name: String = new.name.trim().chars().take(80).collect();
    if name.is_empty() {
        return Err(LobbyError::Bad("Enter a name for the match.".to_owned()));
    }
    let found = app.lobby.find(&id).await?;
    let (of, new) = (id.clone(), name.clone());
    app.lobby.with_store(move |store| store.rename(&of, &new)).await?;
    found.lock().await.name = name;
    app.lobby.tell_beside(&id);
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a match; it can be restored.
pub async fn delete(
    State(app): State<App>,
    _: Owner,
    Path(id): Path<String>,
) -> Result<StatusCode, LobbyError> {
    let known = app.lobby.put_in_bin(&id).await?;
    if known { Ok(StatusCode::NO_CONTENT) } else { Err(LobbyError::NotFound) }
}

/// Restores a deleted match.
pub async fn restore(
    State(app): State<App>,
    _: Owner,
    Path(id): Path<String>,
) -> Result<StatusCode, LobbyError> {
    let known = app.lobby.take_out_of_bin(&id).await?;
    if known { Ok(StatusCode::NO_CONTENT) } else { Err(LobbyError::NotFound) }
}

/// Continues a match that the current rules can't follow to its end, as a new match from the last common step.
pub async fn continue_common(
    State(app): State<App>,
    _: Owner,
    Path(id): Path<String>,
) -> Result<Redirect, LobbyError> {
    let (id, token) = app.lobby.continue_common(&id).await?;
    Ok(Redirect::to(&format!("/m/{id}/{token}")))
}

/// The record of a match for the lobby's owner, even if the match can't be opened.
pub async fn record(State(app): State<App>, _: Owner, Path(id): Path<String>) -> Result<String, LobbyError> {
    app.lobby.owners_record(&id).await
}

/// A rulebook as a page.
pub async fn rules(
    State(app): State<App>,
    visitor: Visitor,
    Path(game): Path<String>,
) -> Result<Html<String>, LobbyError> {
    Ok(as_page(&rules::page(visitor.prefs, &**app.lobby.title(&game)?)))
}

/// A rulebook for the panel next to the board.
pub async fn rules_panel(State(app): State<App>, Path(game): Path<String>) -> Result<Response, LobbyError> {
    let shown = rules::panel(&**app.lobby.title(&game)?);
    let keep = [(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=600"))];
    Ok((keep, as_page(&shown)).into_response())
}

/// A search in a rulebook.
#[derive(Deserialize)]
pub struct Words {
    #[serde(default)]
    words: String,
}

/// Searches a rulebook.
pub async fn rules_search(
    State(app): State<App>,
    Path(game): Path<String>,
    Query(Words { words }): Query<Words>,
) -> Result<Html<String>, LobbyError> {
    let words: String = words.chars().take(100).collect();
    Ok(as_page(&rules::hits(&**app.lobby.title(&game)?, &words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &[(&str, &str)]) -> Result<NewMatch, LobbyError> {
        order(fields.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn a_seed_is_a_number_or_left_out() {
        for (typed, seed) in
            [("7", Some(7)), (" 18446744073709551615 ", Some(u64::MAX)), ("", None), (" ", None)]
        {
            assert_eq!(read(&[("game", "x"), ("seed", typed)]).expect("a form").seed, seed, "{typed:?}");
        }
        for wrong in ["x", "-1", "1.5", "18446744073709551616"] {
            let why = read(&[("seed", wrong)]).map(|_| ()).expect_err(wrong).to_string();
            assert!(why.contains("whole number"), "{why}");
        }
        assert!(read(&[("sed", "7")]).is_err());
    }
}
