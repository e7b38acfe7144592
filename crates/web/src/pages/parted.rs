//! A match that the current rules can't replay to its end: what happened, and what the owner can do.

use kernel::Parting;
use maud::{Markup, html};

use crate::pages::layout::{Page, document};
use crate::prefs::Prefs;

/// A sentence about what happened to a match, and the button that continues it.
pub fn offer(id: &str, parting: &Parting) -> Markup {
    html! {
        p.parted { (what_happened(parting)) }
        @if parting.common > 0 {
            form.parted method="post" action={"/matches/" (id) "/continue"} {
                button type="submit" { "Continue from step " (parting.common) " as a new match" }
            }
        }
    }
}

fn what_happened(parting: &Parting) -> String {
    let Parting { common, steps, begun_under, rules, .. } = parting;
    if parting.is_of_other_rules() {
        format!(
            "The rules have changed since this match began (from version {begun_under} to {rules}). The first {common} of \
             its {steps} steps are the same under both."
        )
    } else {
        format!("Only the first {common} of the {steps} steps in this match's record can be replayed.")
    }
}

/// The page that the match's owner sees instead of the table.
pub fn page(prefs: Prefs, id: &str, parting: &Parting, report: &str) -> Markup {
    let heading = "This match can't be continued as it is";
    let body = html! {
        main.error-page {
            h1 { (heading) }
            (offer(id, parting))
            p { "Nothing is lost: the match is kept as it is. You can "
                a href={"/matches/" (id) "/record"} { "download its record" } " as text." }
            details { summary { "Details" } p.pre { (report) } }
            p { a href="/" { "Back to the lobby" } }
        }
    };
    document(prefs, &Page { title: heading, class: "plain", styles: &[], script: None, body })
}
