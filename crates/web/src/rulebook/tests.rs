use std::collections::HashSet;
use std::sync::LazyLock;

use super::links::Piece;
use super::*;

static ECHOES: LazyLock<Rulebook> =
    LazyLock::new(|| Rulebook::new("Echoes of War", include_str!("../../../../docs/rules/echoes.md")));

/// Everything between `before` and the next quotation mark.
fn attributes<'a>(html: &'a str, before: &str) -> Vec<&'a str> {
    html.split(before).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn pieces(text: &str) -> String {
    let known = ["2.0", "2.3", "2.5", "2.5.3", "3.3", "3.3.1", "4.0.1", "5.1", "7", "7.3", "R5", "R24"];
    let find = |rule: &str| {
        let whole = format!("{rule}.0");
        known.iter().position(|one| *one == rule || *one == whole)
    };
    let shown = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => (*text).to_owned(),
        Piece::Link(text, _) => format!("[{text}]"),
    };
    links::pieces(text, false, &find).iter().map(shown).collect()
}

/// The numbers that the terminal finds, line by line: headings, and bold numbers at the beginning of a line.
fn numbers_in_the_source() -> Vec<String> {
    let mut fenced = false;
    let mut numbers = Vec::new();
    for line in ECHOES.markdown.lines() {
        fenced ^= line.starts_with("```");
        let words = line.trim_start_matches('#');
        if fenced || (words.len() == line.len() && !line.starts_with("**")) {
            continue;
        }
        let words = words.trim_start().trim_start_matches("**");
        let number = words.split([' ', '*']).next().unwrap_or_default();
        let digits = number.strip_prefix('R').unwrap_or(number);
        if digits.starts_with(|c: char| c.is_ascii_digit()) {
            numbers.push(number.to_owned());
        }
    }
    numbers
}

#[test]
fn every_number_of_the_book_has_its_anchor() {
    let numbers = numbers_in_the_source();
    assert!(numbers.len() > 100, "{}", numbers.len());
    for number in &numbers {
        assert_eq!(ECHOES.anchor(number), Some(format!("rule-{number}").as_str()));
        assert!(ECHOES.html().contains(&format!(" id=\"rule-{number}\"")), "{number}");
    }
    assert!(ECHOES.rules().eq(numbers.iter().map(String::as_str)), "no others, and in this order");
}

#[test]
fn ids_are_unique_and_links_resolve() {
    let ids = attributes(ECHOES.html(), " id=\"");
    let unique: HashSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len());
    let mut links = 0;
    for html in [ECHOES.html(), ECHOES.contents(), &ECHOES.plain] {
        for link in attributes(html, "href=\"") {
            assert!(unique.contains(link.trim_start_matches('#')), "{link}");
            links += 1;
        }
    }
    assert!(links > 300, "{links}");
    assert!(!ECHOES.plain.contains(" id=\""));
    assert!(!ECHOES.html().contains("style="));
    for tag in
        ["div", "table", "a", "p", "li", "ul", "ol", "h2", "h3", "pre", "code", "td", "th", "tr", "nav"]
    {
        let html = format!("{}{}", ECHOES.html(), ECHOES.contents());
        let open = html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
        assert_eq!(open, html.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn the_rules_that_the_game_cites_are_there() {
    let sources = [
        include_str!("../../../echoes/src/words.rs"),
        include_str!("../../../echoes/src/legality.rs"),
        include_str!("../../../echoes/src/odds.rs"),
    ];
    let mut cited = 0;
    for quoted in sources.iter().flat_map(|source| source.split('"')) {
        if matches!(links::shape(quoted), Some(links::Shape::Dotted(_) | links::Shape::Ruling)) {
            cited += 1;
            assert_eq!(ECHOES.anchor(quoted), Some(format!("rule-{quoted}").as_str()));
        }
    }
    assert!(cited > 30, "{cited}");
}

#[test]
fn an_anchor_is_the_rule_or_the_nearest_above_it() {
    assert_eq!(ECHOES.anchor("2"), Some("rule-2.0"));
    assert_eq!(ECHOES.anchor("7"), Some("rule-7"));
    assert_eq!(ECHOES.anchor("7.0"), Some("rule-7"));
    assert_eq!(ECHOES.anchor("2.5.3.1"), Some("rule-2.5.3"));
    assert_eq!(ECHOES.anchor("2.9"), Some("rule-2.0"));
    assert_eq!(ECHOES.anchor(" r11. "), Some("rule-R11"));
    for none in ["", ".", "R99", "99.1", "rule", "\u{e9}.\u{e9}"] {
        assert_eq!(ECHOES.anchor(none), None, "{none:?}");
    }
}

#[test]
fn a_section_is_the_rule_and_no_more() {
    let window_b = ECHOES.section_html("2.5.3").unwrap();
    assert!(window_b.contains("before a roll") && window_b.contains("as long as another one qualifies"));
    assert!(!window_b.contains("2.5.4") && !window_b.contains("Window C") && !window_b.contains("Window A"));
    assert!(!window_b.contains(" id="));
    let tide = ECHOES.section_html("2.5").unwrap();
    assert!(tide.contains("Window D") && tide.contains("2.5.6") && !tide.contains("The Action Page"));
    assert!(ECHOES.section_html("R11").unwrap().contains("must belong to a region"));
    assert!(ECHOES.section_html("12").unwrap().ends_with("<p><em>World War II Solitaire: Echoes of War</em> is a title of its designer, Mark W. of Five Starboard Games. This is an\nindependent implementation. The text and the data here are our own.</p>"));
    assert_eq!(ECHOES.section_html("99"), None);
    let source = ECHOES.section_markdown("2.5.4").unwrap();
    assert!(source.starts_with("**2.5.4** *Window C") && source.ends_with("the Action or the Attack."));
    assert_eq!(ECHOES.section_markdown("2.5.4.1"), None);
    assert_eq!(ECHOES.section_markdown("2"), ECHOES.section_markdown("2.0"));
}

#[test]
fn the_terminal_finds_the_same_sections() {
    let text = "# Book\n## 2.0 Map\nx\n### 2.1 Turns\nturns\n**2.1.1** fine\n**2.1.2** finer\n### 2.2 Tracks\ntracks\n";
    let book = Rulebook::new("Book", text);
    let turns = "### 2.1 Turns\nturns\n**2.1.1** fine\n**2.1.2** finer";
    assert_eq!(book.section_markdown("2.1"), Some(turns));
    assert_eq!(book.section_markdown("2.1.1"), Some("**2.1.1** fine"));
    assert_eq!(book.section_markdown("2.2"), Some("### 2.2 Tracks\ntracks"));
    assert_eq!(book.section_markdown("2.2.7"), None);
    let book =
        Rulebook::new("Book", "## 7.7 Form\n```text\n# no heading\n1.1 Title\n```\nafter\n## 7.8 Limits\n");
    assert_eq!(
        book.section_markdown("7.7"),
        Some("## 7.7 Form\n```text\n# no heading\n1.1 Title\n```\nafter")
    );
}

#[test]
fn list_items_can_be_rules_and_years_are_none() {
    let text = "## 1.0 One\n\n* **1.1** *First.* fine\n* **1.2** finer\n* **14**: those\n\n**1940** was a year\n\n## 1 Again\n## 1.0 Twice\n";
    let book = Rulebook::new("Book", text);
    assert!(book.rules().eq(["1.0", "1.1", "1.2", "1", "1.0"]));
    assert!(book.html().contains("<li id=\"rule-1.1\" class=\"rule\">"));
    assert!(book.html().contains("<h2 id=\"rule-1.0-2\">"));
    let first = book.section_html("1.1").unwrap();
    assert!(first.contains("fine") && !first.contains("finer"));
    assert_eq!(book.section_markdown("1.1").map(str::trim), Some("* **1.1** *First.* fine"));
    assert!(book.section_html("1.0").unwrap().contains("a year"));
    assert_eq!(book.search("finer")[0].rule, "1.2");
}

#[test]
fn raw_markup_is_harmless() {
    let text = "# <script>alert(1)</script>\n\n<script>alert(2)</script>\n\n<!-- a\nsecret -->\n\nA <b onclick=\"x()\">word</b>, <!-- hush --> a<br>break.\n\n\
        [bad](javascript:alert(3)) [worse](JaVaScRiPt:alert(4)) [data](data:text/html,x) [far](https://example.org/?a&b) [file](../x.md) \
        ![picture](https://example.org/x.png)\n\n|a|<img src=x onerror=y>|\n|:-:|--:|\n|<script>|2|\n\n```\"onclick=x\n<script>\n```\n\n\
        ## <i>1.2</i> \"quoted\" <script>\n";
    let book = Rulebook::new("<script>", text);
    for html in [book.html(), book.contents(), &book.plain] {
        for bad in
            ["<script", "<img", "<b ", "<i>", "javascript", "JaVaScRiPt", "data:", "secret", "hush", "style="]
        {
            assert!(!html.contains(bad), "{bad} in {html}");
        }
        let mut tags = html.split('<').skip(1).filter_map(|tag| tag.split('>').next());
        assert!(tags.all(|tag| !tag.contains(" on")), "{html}");
    }
    assert!(book.html().contains("&lt;script&gt;alert(2)"));
    assert!(book.html().contains("a<br />\nbreak"));
    assert!(
        book.html().contains("<a href=\"https://example.org/?a&amp;b\" rel=\"noopener noreferrer\">far</a>")
    );
    assert!(book.html().contains("picture") && book.html().contains("class=\"right short\""));
    let hit = &book.search("script alert")[0];
    assert!(!hit.snippet.contains("<script"), "{hit:?}");
}

#[test]
fn references_are_links() {
    for (text, linked) in [
        ("x (3.3.1). y", "x ([3.3.1]). y"),
        ("(7.3, R24)", "([7.3], [R24])"),
        ("(3.3, 7)", "([3.3], [7])"),
        ("(see 7.3)", "(see [7.3])"),
        ("rule 2.5.3, and", "rule [2.5.3], and"),
        ("ruling R24; section\n7; sections 2 to 7.", "ruling [R24]; section\n[7]; sections [2] to [7]."),
        ("see 2.3 and 2.5", "see [2.3] and [2.5]"),
        ("the full rule of 3.3", "the full rule of [3.3]"),
        ("that of 4.0.1, so", "that of [4.0.1], so"),
        ("R5", "[R5]"),
    ] {
        assert_eq!(pieces(text), linked);
    }
    for text in [
        "45.7 %, 2.3 % and (2.3 %)",
        "box 2.3; boxes (2.3, 3.3)",
        "worth 2.5, or 2 (7) in 7",
        "see 7 regions",
        "(1940, 7)",
        "version 12.5.3 and R99, AR5, R5x",
        "(2.3 to go)",
        "rule 2.3.9.9",
        "2.3–2.5 and 2.3/2.5",
        "(2.3",
        "",
        "é(ü)ß §",
    ] {
        assert_eq!(pieces(text), text);
    }
}

#[test]
fn only_running_text_is_linked() {
    let text = "## 1.0 See R5\n\n### R5 Ruling\n\n`R5` and R5\n\n    R5 in code\n\n| Rule | R5 | Id |\n|---|---|---|\n| 1 | 1.0 | R5 |\n\n[R5](#10-see-r5)\n";
    let book = Rulebook::new("Book", text);
    let xrefs = attributes(book.html(), "class=\"xref\" href=\"");
    assert_eq!(xrefs, ["#rule-R5", "#rule-1.0", "#rule-R5"], "{}", book.html());
    assert!(book.html().contains("<a href=\"#rule-1.0\">R5</a>"));
    assert!(
        book.html().contains("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\">")
    );
}

#[test]
fn contents_are_nested() {
    let book = Rulebook::new("Book", "# Book\n## 1.0 A & B\n### 1.1 C\n#### D\n## 2.0 E\n# F\n### G\n");
    let flat: String = book.contents().split('\n').collect();
    assert_eq!(
        flat,
        "<nav class=\"rulebook-contents\" aria-label=\"Contents: Book\"><ul><li><a href=\"#rule-1.0\">\
         <span class=\"number\">1.0</span> A &amp; B</a><ul><li><a href=\"#rule-1.1\"><span class=\"number\">1.1</span> \
         C</a><ul><li><a href=\"#book-d\">D</a></li></ul></li></ul></li><li><a href=\"#rule-2.0\">\
         <span class=\"number\">2.0</span> E</a><ul><li><a href=\"#book-g\">G</a></li></ul></li></ul></nav>"
    );
}

#[test]
fn words_are_found() {
    let hits = ECHOES.search("tide OF war");
    assert!(hits.len() > 5 && hits.len() <= 20);
    assert_eq!((hits[0].rule.as_str(), hits[0].anchor.as_str()), ("2.5", "rule-2.5"));
    assert!(hits[0].snippet.starts_with("2.5.1 Allowance and boxes · 2.5.2 Window A"), "{}", hits[0].snippet);
    assert!(hits.iter().any(|hit| hit.snippet.contains("<mark>Tide of War</mark>")), "{hits:#?}");
    assert_eq!(ECHOES.search("2.5.3")[0].rule, "2.5.3");
    assert_eq!(ECHOES.search("R11")[0].heading, "Which box pays for a shift");
    assert_eq!(ECHOES.search("gold turns")[0].rule, "2.1.1");
    let both = ECHOES.search("rubber pencil");
    assert_eq!((both.len(), both[0].rule.as_str()), (1, "R28"));
    assert!(
        both[0].snippet.contains("<mark>pencil</mark>") && both[0].snippet.contains("<mark>rubber</mark>")
    );
    for none in ["", "  ", "zeppelin", "war zeppelin", "()"] {
        assert!(ECHOES.search(none).is_empty(), "{none:?}");
    }
    for odd in ["−1", "★", "…", "é", &"ß".repeat(500), "1⅓", "·", "a", "e"] {
        for hit in ECHOES.search(odd) {
            assert_eq!(hit.snippet.matches("<mark>").count(), hit.snippet.matches("</mark>").count());
        }
    }
}
