//! Links to share: which ones a visitor sees, and how they are renewed and revoked.

use axum::extract::{Form, State};
use axum::response::Redirect;
use diagnostics::shown;
use kernel::{Seat, Viewer};
use serde::Deserialize;

use super::{App, MatchVisitor};
use crate::live::Live;
use crate::lobby::{LinkChange, LiveMatch, LobbyError, Requester};
use crate::pages::table::{Links, SeatLink};

/// The links that a visitor can share: players get their own link and the one for watching. Only the match's creator gets
/// those of the other seats. The link of a seat that somebody has taken is not shown again, but can be renewed.
pub(super) fn links(found: &LiveMatch, live: &Live, viewer: Viewer, owns_lobby: bool) -> Option<Links> {
    let own = match viewer {
        Viewer::Seat(own) => Some(own),
        Viewer::Spectator => None,
    };
    let is_maker = live.is_maker(Requester { viewer, owns_lobby });
    if own.is_none() && !is_maker {
        return None;
    }
    let path = |token: &str| format!("/m/{}/{token}", found.id);
    let shown = |token: &str| (!token.is_empty()).then(|| path(token));
    let others = live.seats.iter().filter(|record| own != Some(Seat(record.seat)));
    let link = |record: &store::SeatRecord| {
        let title = live.table.seats().get(usize::from(record.seat))?.title.to_owned();
        let kept_by = record.player.account();
        if kept_by.is_none() && !record.player.is_a_persons() {
            return None;
        }
        let token = found.keys.seat(Seat(record.seat)).unwrap_or_default();
        let is_taken = record.claimed_at.is_some();
        let path = shown(token).filter(|_| !is_taken);
        Some(SeatLink { seat: record.seat, title, path, is_taken, is_kept: kept_by.is_some() })
    };
    Some(Links {
        viewer: shown(found.keys.viewer()),
        seats: others.filter(|_| is_maker).filter_map(link).collect(),
        own: own.and_then(|own| found.keys.seat(own)).map(path),
        own_seat: own.map(|own| own.0),
        is_maker,
    })
}

/// Which link, and what should happen to it.
#[derive(Deserialize)]
pub struct LinkForm {
    /// The number of a seat, or `watch`.
    link: String,
    /// `renew` or `revoke`.
    change: String,
}

/// Renews or revokes a link, and shows the table again.
pub async fn change(
    State(app): State<App>,
    seated: MatchVisitor,
    Form(LinkForm { link, change }): Form<LinkForm>,
) -> Result<Redirect, LobbyError> {
    let whose = match (link.as_str(), link.parse()) {
        ("watch", _) => Viewer::Spectator,
        (_, Ok(seat)) => Viewer::Seat(Seat(seat)),
        _ => {
            return Err(LobbyError::Bad(format!(
                "unknown link {:?}: use watch or the number of a seat",
                shown(&link)
            )));
        }
    };
    let change = match change.as_str() {
        "renew" => LinkChange::Renew,
        "revoke" => LinkChange::Revoke,
        other => {
            return Err(LobbyError::Bad(format!("unknown change {:?}: use renew or revoke", shown(other))));
        }
    };
    let by = Requester { viewer: seated.viewer, owns_lobby: seated.visitor.owner };
    let token = app.lobby.change_link(&seated.found, by, whose, change).await?;
    let is_own = whose == seated.viewer;
    let path = if is_own { format!("/m/{}/{token}", seated.found.id) } else { seated.path };
    Ok(Redirect::to(&path))
}
