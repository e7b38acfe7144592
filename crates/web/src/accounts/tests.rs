//! A real server with accounts behind a pretended proxy, and browsers that come to it.

mod contests;
mod doors;
pub(crate) mod host;
mod house;
mod laboratory;
mod leaving;
mod links;
mod rests;
mod seats;
mod signing;
mod tables;
mod talk;

use super::*;

#[test]
fn the_cookie_is_out_of_reach_for_scripts_and_other_sites() {
    let secure = session_cookie("abc", true);
    assert_eq!(secure, "__Host-maproom_session=abc; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000; Secure");
    let plain = session_cookie("abc", false);
    assert_eq!(plain, "maproom_session=abc; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000");
    assert!(session_cookie("", true).to_str().is_ok_and(|text| text.contains("Max-Age=0")));
    let mut headers = HeaderMap::new();
    headers.insert(header::COOKIE, HeaderValue::from_static("maproom_session=planted; x=y"));
    assert_eq!(session_secret(&headers, false), Some("planted"));
    assert_eq!(session_secret(&headers, true), None, "over HTTPS only the guarded cookie counts");
}
