//! The colours of the sides can be told apart, measured as colour-blind people see them.
//!
//! The colour-blind palette must keep every pair at a distance (CIE 1976, in L*a*b*) in full colour and under simulated
//! deuteranopia, protanopia and tritanopia (Machado, Oliveira and Fernandes 2009, full severity).

const BASE: &str = include_str!("../../../web/assets/base.css");
const BLITZ: &str = include_str!("../../src/blitz/board.css");
const DDAY: &str = include_str!("../../src/dday/counters.css");
const TRIUMPH: &str = include_str!("../../src/triumph/pieces.css");

/// Two colours closer than this are easily confused on a small counter; a just noticeable difference is about 2.
const APART: f64 = 60.0;

type Matrix = [[f64; 3]; 3];
const SIGHTS: [(&str, Matrix); 4] = [
    ("full colour", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ),
];

/// The block of a stylesheet that begins with a selector.
fn block<'a>(sheet: &'a str, selector: &str) -> &'a str {
    let from = sheet.find(selector).unwrap_or_else(|| panic!("{selector} is not there"));
    sheet[from..].split('}').next().unwrap_or_default()
}

/// The colour of a property in light and in dark.
fn colours(block: &str, property: &str) -> [String; 2] {
    let value =
        block.split(&format!("{property}: ")).nth(1).unwrap_or_else(|| panic!("{property} in {block}"));
    let found: Vec<String> = value
        .split(';')
        .next()
        .unwrap_or_default()
        .split('#')
        .skip(1)
        .map(|hex| hex[..6].to_owned())
        .collect();
    [found[0].clone(), found.last().cloned().unwrap_or_default()]
}

fn linear(hex: &str) -> [f64; 3] {
    [0, 2, 4].map(|at| {
        let part = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits")) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    })
}

fn times(matrix: &Matrix, colour: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|row| (0..3).map(|at| matrix[row][at] * colour[at]).sum::<f64>().clamp(0.0, 1.0))
}

fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
    let x = (0.412_456 * r + 0.357_576 * g + 0.180_438 * b) / 0.950_47;
    let y = 0.212_673 * r + 0.715_152 * g + 0.072_175 * b;
    let z = (0.019_334 * r + 0.119_192 * g + 0.950_304 * b) / 1.088_83;
    let [x, y, z] = [x, y, z].map(|t: f64| if t > 0.008_856 { t.cbrt() } else { (903.3 * t + 16.0) / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn distance(sight: &Matrix, one: &str, other: &str) -> f64 {
    let [a, b] = [one, other].map(|hex| lab(times(sight, linear(hex))));
    (0..3).map(|at| (a[at] - b[at]).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn the_colour_blind_palette_keeps_the_sides_apart() {
    let base = block(BASE, ":root[data-palette=\"clear\"]");
    let blitz = block(BLITZ, "[data-palette=\"clear\"] .blitz");
    let dday = block(DDAY, ":root[data-palette=\"clear\"]");
    assert!(
        !DDAY.contains("[data-palette=\"clear\"] .nation"),
        "a counter that is a copy would not see that"
    );
    let mut pairs: Vec<(&str, [String; 2], [String; 2])> = vec![
        ("Allies and Axis", colours(base, "--allied"), colours(base, "--axis")),
        ("won and lost", colours(base, "--win"), colours(base, "--loss")),
        ("the sides of Blitzkrieg!", colours(blitz, "--first"), colours(blitz, "--second")),
        ("the counters of Blitzkrieg!", colours(blitz, "--first-body"), colours(blitz, "--second-body")),
    ];
    for (nations, property) in
        [("Americans, Soviets and Germans", "--clear-allied"), ("British and Germans", "--clear-british")]
    {
        pairs.push((nations, colours(dday, property), colours(dday, "--clear-german")));
    }
    let triumph = block(TRIUMPH, "[data-palette=\"clear\"] .triumph");
    let factions = ["--axis-body", "--west-body", "--ussr-body"].map(|property| colours(triumph, property));
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        pairs.push(("two Factions of Triumph & Tragedy", factions[one].clone(), factions[other].clone()));
    }
    for (what, one, other) in &pairs {
        for (theme, (one, other)) in ["light", "dark"].iter().zip(one.iter().zip(other)) {
            for (sight, matrix) in &SIGHTS {
                let apart = distance(matrix, one, other);
                assert!(apart >= APART, "{what}, {theme}, {sight}: #{one} and #{other} are {apart:.0} apart");
            }
        }
    }
}

#[test]
fn the_measure_finds_what_is_known_to_be_confused() {
    // Black and white are a hundred apart, in every eye.
    for (sight, matrix) in &SIGHTS {
        assert!((distance(matrix, "000000", "ffffff") - 100.0).abs() < 1.0, "{sight}");
    }
    // The usual green and red of won and lost, on dark: fine in full colour, the same to a deuteranope.
    let [_, green] = colours(block(BASE, ":root {"), "--win");
    let [_, red] = colours(block(BASE, ":root {"), "--loss");
    let [full, deuteranope] = [0, 1].map(|at: usize| distance(&SIGHTS[at].1, &green, &red));
    assert!(full > 5.0 * deuteranope && deuteranope < 10.0, "{full:.0} and {deuteranope:.0}");
}
