//! A match that parts from the present rules: what has happened, and what can be done about it.

use kernel::Parting;
use maud::{Markup, html};

use crate::pages::layout::{Page, document};
use crate::prefs::Prefs;

/// What has happened to a match, in a sentence, and the button that goes on with it.
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
            "The rules have changed since this match began (version {begun_under}, now {rules}). Its first {common} of \
             {steps} steps are the same under both."
        )
    } else {
        format!("The record of this match can be followed for {common} of its {steps} steps only.")
    }
}

/// The page that whoever owns the match finds in its place.
pub fn page(prefs: Prefs, id: &str, parting: &Parting, report: &str) -> Markup {
    let heading = "This match can't go on as it is";
    let body = html! {
        main.trouble {
            h1 { (heading) }
            (offer(id, parting))
            p { "Nothing is lost: the match stays as it is. "
                a href={"/matches/" (id) "/record"} { "Its record" } " can be had as a text." }
            details { summary { "What does not fit" } p.pre { (report) } }
            p { a href="/" { "To the lobby" } }
        }
    };
    document(prefs, &Page { title: heading, class: "plain", styles: &[], script: None, body })
}
