//! A browser in a few words, so that people recognise their own devices in the list of sessions.

/// What a browser calls itself, in words: "Firefox on Linux". Nothing else of the header is kept.
pub fn browser_name(user_agent: &str) -> String {
    let find = |names: &[(&str, &'static str)]| {
        names.iter().find(|(sign, _)| user_agent.contains(sign)).map(|(_, name)| *name)
    };
    // Most browsers also name those whose pages they can show: the more special name comes first.
    let browser = find(&[
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("Chrom", "Chrome"),
        ("CriOS/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = find(&[
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, Some(system)) => format!("A browser on {system}"),
        (None, None) => "An unknown browser".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_recognised() {
        for (header, name) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605 Version/18.5 Safari/604.1",
                "Safari on iPhone",
            ),
            ("<script>", "An unknown browser"),
            ("", "An unknown browser"),
        ] {
            assert_eq!(browser_name(header), name);
        }
    }
}
