//! Whole pages: the first, everything anew, moments of the past.

use std::io;
use std::time::Instant;

use store::Player;
use web::Board as _;

use crate::figures::{best_and_median, heading, kb, row, timed};
use crate::stand::{MARKS, Stand};
use crate::wire::Http;

const TIMES: usize = 7;

pub async fn measure(stand: &mut Stand) -> io::Result<()> {
    let sheet = stand.course.game().sheet().into_string();
    heading("Pages");
    let drawn = timed(TIMES, || stand.course.game().sheet());
    row("  drawing the sheet, which never changes", &format!("{drawn}  {:>8} KB", kb(sheet.len())));
    for mark in MARKS {
        let planted = stand.plant(mark, [Player::Owner, Player::Person])?;
        let own = &planted.paths[planted.mover()];
        let mut http = Http::connect(stand.port).await?;
        println!("  step {mark}");
        get(&mut http, "reading it from the store, and all that changes", &format!("{own}/update"), 1)
            .await?;
        let page = get(&mut http, "first page, of the seat that is to choose", own, TIMES).await?;
        let log = between(&page, "id=\"log\"", "id=\"panel-odds\"");
        let pieces = between(&page, "id=\"pieces\"", "</svg>");
        let choices = between(&page, "id=\"choices\"", "id=\"whisper\"");
        row(
            "    of it",
            &format!(
                "sheet {}, log {}, pieces {}, choices {} KB",
                kb(sheet.len()),
                kb(log),
                kb(pieces),
                kb(choices)
            ),
        );
        if let Some(folder) = std::env::var_os("MAPROOM_BENCH_PAGES") {
            std::fs::write(std::path::Path::new(&folder).join(format!("page-{mark}.html")), &page)?;
        }
        get(&mut http, "first page, of a spectator", &planted.paths[2], TIMES).await?;
        get(&mut http, "everything anew (update)", &format!("{own}/update"), TIMES).await?;
        let since = format!("{own}/update?since={}", planted.revision);
        get(&mut http, "everything anew, the log known (update?since)", &since, TIMES).await?;
        let middle = planted.mirror.log().len() / 2;
        get(&mut http, "a moment in the middle (at)", &format!("{own}/at/{middle}"), TIMES).await?;
        get(&mut http, "the step after it (at)", &format!("{own}/at/{}", middle + 1), TIMES).await?;
        let last = planted.mirror.log().len();
        get(&mut http, "the last step but one (at)", &format!("{own}/at/{}", last - 1), TIMES).await?;
    }
    Ok(())
}

/// Asks for a page several times and prints what it costs.
async fn get(http: &mut Http, what: &str, path: &str, times: usize) -> io::Result<String> {
    let (mut all, mut text) = (Vec::new(), String::new());
    for _ in 0..times {
        let begun = Instant::now();
        let answer = http.get(path).await?;
        all.push(begun.elapsed());
        answer.text()?.clone_into(&mut text);
    }
    row(&format!("  {what}"), &format!("{}  {:>8} KB", best_and_median(&mut all), kb(text.len())));
    Ok(text)
}

/// How many bytes lie between two words of a page.
fn between(page: &str, from: &str, to: &str) -> usize {
    let rest = page.split_once(from).map_or("", |(_, rest)| rest);
    rest.find(to).unwrap_or(rest.len())
}
