//! Data of any shape as tables that people can read.

use maud::{Markup, html};
use serde_json::{Map, Value};

/// The most cells that a page shows; the rest is counted.
const CELLS: usize = 2_000;
/// The most rows of a table.
const ROWS: usize = 60;
/// The most items in one line.
const ITEMS: usize = 16;
/// The most characters of a text that are shown.
const LETTERS: usize = 160;
/// So deep tables stand inside one another.
const DEPTH: usize = 5;
/// Up to this many things of a kind are shown side by side, as columns; more are shown as rows.
const COLUMNS: usize = 6;

/// Whether a value has a form that a table can show: an object or a list.
pub fn has_form(value: &Value) -> bool {
    matches!(value, Value::Object(map) if !map.is_empty())
        || matches!(value, Value::Array(list) if !list.is_empty())
}

/// The value as tables.
pub fn tables(value: &Value) -> Markup {
    let mut room = Room { cells: CELLS };
    room.value(value, DEPTH)
}

/// A key of the data for people: `supply_line` becomes "Supply line".
pub fn words(key: &str) -> String {
    let key = key.replace(['_', '-'], " ");
    let mut letters = key.trim().chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What fits in one cell: a number, a word, a short list of them.
fn is_simple(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.is_empty(),
        Value::Array(items) => items.iter().all(|item| !item.is_object() && !item.is_array()),
        _ => true,
    }
}

/// A simple value in words.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => number.to_string().replace('-', "−"),
        Value::String(text) if text.is_empty() => "–".to_owned(),
        Value::String(text) if text.chars().count() > LETTERS => {
            format!("{}…", text.chars().take(LETTERS).collect::<String>().trim_end())
        }
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => {
            let mut line = items.iter().take(ITEMS).map(cell).collect::<Vec<_>>().join(", ");
            if items.len() > ITEMS {
                line.push_str(&format!(" … and {} more", items.len() - ITEMS));
            }
            line
        }
        Value::Object(_) => "none".to_owned(),
    }
}

/// Objects with the same keys and simple values: the keys.
fn shared_keys<'v>(mut values: impl Iterator<Item = &'v Value>) -> Option<Vec<&'v str>> {
    let keys = |value: &'v Value| {
        let map = value.as_object().filter(|map| !map.is_empty() && map.values().all(is_simple))?;
        Some(map.keys().map(String::as_str).collect::<Vec<_>>())
    };
    let first = keys(values.next()?)?;
    values.all(|value| keys(value).as_ref() == Some(&first)).then_some(first)
}

/// How much more there may be on the page.
struct Room {
    cells: usize,
}

impl Room {
    /// Takes room for a row; `false` where there is none left.
    fn take(&mut self, cells: usize) -> bool {
        let fits = self.cells >= cells;
        self.cells = self.cells.saturating_sub(cells);
        fits
    }

    fn value(&mut self, value: &Value, depth: usize) -> Markup {
        match value {
            Value::Object(map) if !map.is_empty() => self.object(map, depth),
            Value::Array(items) if !is_simple(value) => self.list(items, depth),
            _ => html! { p { (cell(value)) } },
        }
    }

    /// Simple entries as rows; entries of one kind side by side; everything else under a heading.
    fn object(&mut self, map: &Map<String, Value>, depth: usize) -> Markup {
        let (simple, nested): (Vec<_>, Vec<_>) = map.iter().partition(|(_, value)| is_simple(value));
        let rows = simple.iter().map(|(key, value)| (words(key), vec![cell(value)])).collect();
        let kind = shared_keys(nested.iter().map(|(_, value)| *value)).filter(|_| nested.len() > 1);
        html! {
            @if !simple.is_empty() { (self.table("facts", &[], rows)) }
            @match kind {
                Some(keys) => (self.of_a_kind(&keys, &nested)),
                None => @for (key, value) in nested {
                    @if depth > 0 && self.cells > 0 {
                        section { h3 { (words(key)) } (self.value(value, depth - 1)) }
                    }
                },
            }
        }
    }

    /// Several things of one kind: a few as columns, many as rows.
    fn of_a_kind(&mut self, keys: &[&str], things: &[(&String, &Value)]) -> Markup {
        if things.len() <= COLUMNS {
            let titles: Vec<String> = things.iter().map(|(name, _)| words(name)).collect();
            let row = |key: &&str| (words(key), things.iter().map(|(_, thing)| cell(&thing[*key])).collect());
            return self.table("grid", &titles, keys.iter().map(row).collect());
        }
        let titles: Vec<String> = keys.iter().map(|key| words(key)).collect();
        let row = |(name, thing): &(&String, &Value)| {
            (words(name), keys.iter().map(|key| cell(&thing[*key])).collect())
        };
        self.table("grid", &titles, things.iter().map(row).collect())
    }

    fn list(&mut self, items: &[Value], depth: usize) -> Markup {
        if let Some(keys) = shared_keys(items.iter()) {
            let titles: Vec<String> = keys.iter().map(|key| words(key)).collect();
            let row = |(at, item): (usize, &Value)| {
                ((at + 1).to_string(), keys.iter().map(|key| cell(&item[*key])).collect())
            };
            return self.table("grid", &titles, items.iter().enumerate().map(row).collect());
        }
        html! {
            @for (at, item) in items.iter().enumerate().take(ROWS) {
                @if depth > 0 && self.cells > 0 {
                    section { h3 { (at + 1) } (self.value(item, depth - 1)) }
                }
            }
            @if items.len() > ROWS { p.more { "… and " (items.len() - ROWS) " more" } }
        }
    }

    /// A table of rows with a heading each, under the titles of the columns where there are any.
    fn table(&mut self, class: &str, titles: &[String], rows: Vec<(String, Vec<String>)>) -> Markup {
        let all = rows.len();
        let mut shown = rows;
        shown.truncate(ROWS);
        shown.retain(|(_, cells)| self.take(cells.len()));
        let left = all - shown.len();
        html! {
            table class=(class) {
                @if !titles.is_empty() {
                    thead { tr { td {} @for title in titles { th scope="col" { (title) } } } }
                }
                tbody {
                    @for (title, cells) in &shown {
                        tr { th scope="row" { (title) } @for cell in cells { td { (cell) } } }
                    }
                }
            }
            @if left > 0 { p.more { "… and " (left) " more" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(value: &Value) -> String {
        tables(value).into_string()
    }

    #[test]
    fn simple_entries_are_rows_with_readable_names_and_values() {
        let html =
            shown(&json!({ "supply_line": true, "front": -2, "cards": ["7♠", "<b>"], "orders": null }));
        for row in [
            "Supply line</th><td>yes<",
            "Front</th><td>−2<",
            "Cards</th><td>7♠, &lt;b&gt;<",
            "Orders</th><td>–<",
        ] {
            assert!(html.contains(row), "{row}: {html}");
        }
    }

    #[test]
    fn a_few_of_a_kind_are_columns_and_many_are_rows() {
        let html = shown(&json!({ "west": { "reserve": 8 }, "east": { "reserve": 7 } }));
        assert!(html.contains("<th scope=\"col\">West</th><th scope=\"col\">East</th>"), "{html}");
        assert!(html.contains("<th scope=\"row\">Reserve</th><td>8</td><td>7</td>"), "{html}");
        let zones: Map<String, Value> = (0..9).map(|n| (format!("zone {n}"), json!({ "held": n }))).collect();
        let html = shown(&Value::Object(zones));
        assert!(html.contains("<th scope=\"row\">Zone 8</th><td>8</td>"), "{html}");
        let html = shown(&json!([{ "hex": "0101", "steps": 2 }, { "hex": "0204", "steps": 1 }]));
        assert!(html.contains("<th scope=\"row\">2</th><td>0204</td><td>1</td>"), "{html}");
    }

    #[test]
    fn what_is_nested_stands_under_a_heading() {
        let html =
            shown(&json!({ "map": { "roads": [1, 2], "rivers": { "rhine": { "bridges": 3 } } }, "turn": 4 }));
        assert!(html.contains("<section><h3>Map</h3>") && html.contains("<h3>Rhine</h3>"), "{html}");
    }

    #[test]
    fn a_huge_value_is_cut_and_the_rest_is_counted() {
        let many: Vec<Value> = (0..5_000).map(|n| json!({ "n": n, "of": { "x": [n] } })).collect();
        let html = shown(
            &json!({ "pieces": many, "text": "x".repeat(10_000), "line": (0..900).collect::<Vec<_>>() }),
        );
        assert!(html.len() < 40_000, "{} bytes", html.len());
        assert!(html.contains("… and 4940 more") && html.contains("… and 884 more"), "{html}");
        let mut deep = json!(1);
        for _ in 0..100 {
            deep = json!({ "in": deep });
        }
        assert!(shown(&deep).len() < 1_000);
    }
}
