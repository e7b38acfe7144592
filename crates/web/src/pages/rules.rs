//! The rulebook, as a page and as a panel next to the board.

use maud::{Markup, PreEscaped, html};

use crate::assets;
use crate::pages::layout::{Page, document};
use crate::prefs::Prefs;
use crate::title::Title;

/// The whole book as a page.
pub fn page(prefs: Prefs, title: &dyn Title) -> Markup {
    let book = title.rulebook();
    let body = html! {
        header.bar { a.home href="/" { "Maproom" } h1 { (title.name()) ": rules" } }
        main.rules-page {
            nav.contents aria-label="Contents" { (PreEscaped(book.contents())) }
            article.rulebook { (PreEscaped(book.html())) }
        }
    };
    let heading = format!("{}: rules", title.name());
    let styles = [assets::url("rulebook.css")];
    document(prefs, &Page { title: &heading, class: "rules", styles: &styles, script: Some("page.js"), body })
}

/// The rulebook for the panel.
pub fn panel(title: &dyn Title) -> Markup {
    let book = title.rulebook();
    html! {
        details.contents { summary { "Contents" } (PreEscaped(book.contents())) }
        article.rulebook { (PreEscaped(book.html())) }
    }
}

/// The results of a search.
pub fn hits(title: &dyn Title, words: &str) -> Markup {
    let hits = title.rulebook().search(words);
    html! {
        @if hits.is_empty() {
            p { "No rule contains all of these words." }
        }
        ul.hits {
            @for hit in &hits {
                li {
                    a href=(format!("#{}", hit.anchor)) data-rule=(hit.rule) { (hit.rule) " " (hit.heading) }
                    p { (PreEscaped(&hit.snippet)) }
                }
            }
        }
    }
}
