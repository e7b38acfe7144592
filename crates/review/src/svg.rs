//! The curve of a review as a picture that stands alone and also fits into a page.
//!
//! Colours come from the variables of the page where there are any, and else are such that they can be seen on light and on
//! dark; lines and letters have the colour of the text around them. They stand in attributes and not in a style sheet, which a
//! page may refuse.

use std::fmt::Write as _;

use crate::data::{Moment, Point, Review};
use crate::verdict::{deed, percent, points};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 40.0;
/// A draw that changed at least so much is marked, and at most so many are.
const LARGE_DRAW: f64 = 0.05;
const MOST_DRAWS: usize = 16;
/// Turn numbers are at least so far apart.
const APART: f64 = 22.0;
/// The colours of seats that are neither Axis nor Allies.
const COLOURS: [&str; 3] = ["#3f7fb8", "#c8553d", "#5f9a4f"];

impl Review {
    /// The chances over the steps as an SVG document: a curve for each seat (for two seats that of the first, with what is
    /// left for the second above it), turns below, mistakes as dots and large draws as arrows. Marks carry the number of
    /// their step in `data-step`.
    pub fn curve_svg(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"review-curve\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             role=\"img\" aria-labelledby=\"review-curve-title review-curve-desc\" font-family=\"sans-serif\" \
             font-size=\"12\" fill=\"currentColor\">"
        );
        let _ = writeln!(out, "<title id=\"review-curve-title\">{}</title>", escaped(&self.curve_title()));
        let _ = writeln!(out, "<desc id=\"review-curve-desc\">{}</desc>", escaped(&self.curve_words()));
        let frame = Frame { steps: self.moments.len().max(1) as f64 };
        self.grid(&mut out, frame);
        self.curves(&mut out, frame);
        self.marks(&mut out, frame);
        out.push_str("</svg>\n");
        out
    }

    fn curve_title(&self) -> String {
        let seats: Vec<&str> = self.seats.iter().map(|seat| seat.title.as_str()).collect();
        format!("{}: the chance to win of {}, step by step", self.title, seats.join(" and "))
    }

    /// What the picture shows, for those who don't see it.
    fn curve_words(&self) -> String {
        let mut words = String::new();
        for seat in &self.seats {
            let _ = write!(
                words,
                "{}: {} at the start, {} at the end. ",
                seat.title,
                percent(seat.start),
                percent(seat.end)
            );
        }
        for moment in self.turning_points.iter().filter_map(|at| self.moments.get(*at)) {
            let _ = write!(words, "{} ", self.mark_words(moment));
        }
        words.trim_end().to_owned()
    }

    /// Turns and the lines of 0, 50 and 100 per cent.
    fn grid(&self, out: &mut String, frame: Frame) {
        let right = WIDTH - RIGHT;
        out.push_str(
            "<g class=\"grid\" stroke=\"currentColor\" stroke-opacity=\"0.3\" text-anchor=\"end\">\n",
        );
        for chance in [0.0, 0.5, 1.0] {
            let y = frame.y(chance);
            let dashes = if chance == 0.5 { " stroke-dasharray=\"4 4\"" } else { "" };
            let _ = writeln!(out, "<path d=\"M{LEFT} {y:.1}H{right}\"{dashes}/>");
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" stroke=\"none\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                percent(chance)
            );
        }
        out.push_str("</g>\n<g class=\"turns\" stroke=\"currentColor\" stroke-opacity=\"0.3\" text-anchor=\"middle\">\n");
        let mut turn = None;
        let mut written = f64::MIN;
        for point in self.points.iter().take(self.moments.len()) {
            if turn == Some(point.turn) {
                continue;
            }
            turn = Some(point.turn);
            let x = frame.x(point.step);
            let _ = write!(out, "<path d=\"M{x:.1} {:.1}v6\"/>", frame.y(0.0));
            if x >= written + APART {
                written = x;
                let _ = write!(
                    out,
                    "<text x=\"{x:.1}\" y=\"{:.1}\" stroke=\"none\">{}</text>",
                    frame.y(0.0) + 20.0,
                    point.turn
                );
            }
            out.push('\n');
        }
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" stroke=\"none\">turn</text>\n</g>",
            (LEFT + right) / 2.0,
            HEIGHT - 4.0
        );
    }

    fn curves(&self, out: &mut String, frame: Frame) {
        let lines = if self.seats.len() == 2 { 1 } else { self.seats.len() };
        if self.seats.len() < 3 {
            let line = frame.line(&self.points, 0);
            let end = frame.x(self.moments.len());
            let below = format!("{line}L{end:.1} {:.1}L{LEFT} {:.1}Z", frame.y(0.0), frame.y(0.0));
            let _ = writeln!(
                out,
                "<path class=\"area area-0\" fill=\"{}\" fill-opacity=\"0.25\" d=\"{below}\"/>",
                self.colour(0)
            );
            if self.seats.len() == 2 {
                let above = format!("{line}L{end:.1} {:.1}L{LEFT} {:.1}Z", frame.y(1.0), frame.y(1.0));
                let _ = writeln!(
                    out,
                    "<path class=\"area area-1\" fill=\"{}\" fill-opacity=\"0.25\" d=\"{above}\"/>",
                    self.colour(1)
                );
            }
        }
        for seat in 0..lines {
            let _ = writeln!(
                out,
                "<path class=\"line line-{seat}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" d=\"{}\"/>",
                self.colour(seat),
                frame.line(&self.points, seat)
            );
        }
        // Which colour is whose: the first below its curve, the second above it; of more, one below the other.
        for (at, seat) in self.seats.iter().enumerate() {
            let y = match (self.seats.len(), at) {
                (1, _) | (2, 0) => frame.y(0.0) - 8.0,
                (2, _) => frame.y(1.0) + 16.0,
                _ => frame.y(1.0) + 16.0 * (at + 1) as f64,
            };
            let _ = writeln!(
                out,
                "<text class=\"seat seat-{at}\" x=\"{:.1}\" y=\"{y:.1}\" fill=\"{}\" font-weight=\"bold\">{}</text>",
                LEFT + 8.0,
                self.colour(at),
                escaped(&seat.title)
            );
        }
    }

    /// Dots for mistakes, arrows for large draws, each with words.
    fn marks(&self, out: &mut String, frame: Frame) {
        let mut draws: Vec<&Moment> =
            self.moments.iter().filter(|moment| moment.is_luck() && moment.size() >= LARGE_DRAW).collect();
        draws.sort_by(|a, b| b.size().total_cmp(&a.size()).then(a.step.cmp(&b.step)));
        draws.truncate(MOST_DRAWS);
        draws.sort_by_key(|moment| moment.step);
        for moment in draws {
            let (x, y) = frame.after(&self.points, moment.step, 0);
            let up = moment.change.first().is_some_and(|change| *change > 0.0);
            let arrow = if up {
                format!("M{x:.1} {:.1}l5 9h-10z", y - 14.0)
            } else {
                format!("M{x:.1} {:.1}l5 -9h-10z", y + 14.0)
            };
            let (word, colour) =
                if up { ("draw up", "var(--win, #4f9a56)") } else { ("draw down", "var(--loss, #c8553d)") };
            self.mark(out, moment, word, &format!("<path fill=\"{colour}\" d=\"{arrow}\"/>"));
        }
        for moment in self.moments.iter().filter(|moment| moment.is_mistake()) {
            let seat = self.seats.iter().position(|seat| seat.word == moment.actor).unwrap_or_default();
            let line = if self.seats.len() == 2 { 0 } else { seat };
            let (x, y) = frame.after(&self.points, moment.step, line);
            let dot = format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{}\" stroke=\"currentColor\" stroke-width=\"1.5\"/>",
                self.colour(seat)
            );
            self.mark(out, moment, "mistake", &dot);
        }
    }

    fn mark(&self, out: &mut String, moment: &Moment, class: &str, shape: &str) {
        let words = escaped(&self.mark_words(moment));
        let _ = writeln!(
            out,
            "<g class=\"mark {class}\" data-step=\"{}\"><title>{words}</title>{shape}</g>",
            moment.step
        );
    }

    /// A marked moment in words.
    fn mark_words(&self, moment: &Moment) -> String {
        let actor = self.seats.iter().position(|seat| seat.word == moment.actor);
        let seat = actor.unwrap_or_default();
        let change = moment.change.get(seat).copied().unwrap_or_default();
        let title = self.seats.get(seat).map_or("", |seat| seat.title.as_str());
        let kind = match actor {
            Some(_) => format!("{title} lost {}", points(change)),
            None if change >= 0.0 => format!("luck gave {title} {}", points(change)),
            None => format!("luck cost {title} {}", points(change)),
        };
        format!("Turn {}, step {}: {kind}. {}.", moment.turn, moment.step, deed(moment))
    }

    fn colour(&self, seat: usize) -> String {
        match self.seats.get(seat).map(|seat| seat.word.as_str()) {
            Some("allies") => format!("var(--allied, {})", COLOURS[0]),
            Some("axis" | "japan") => format!("var(--axis, {})", COLOURS[1]),
            _ => COLOURS[seat % COLOURS.len()].to_owned(),
        }
    }
}

/// Where steps and chances are in the picture.
#[derive(Clone, Copy)]
struct Frame {
    steps: f64,
}

impl Frame {
    fn x(self, step: usize) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * step as f64 / self.steps
    }

    fn y(self, chance: f64) -> f64 {
        TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - chance)
    }

    /// The point after a step.
    fn after(self, points: &[Point], step: usize, seat: usize) -> (f64, f64) {
        let chance = points.get(step).and_then(|point| point.chances.get(seat)).copied().unwrap_or_default();
        (self.x(step), self.y(chance))
    }

    /// The line of a seat; where nothing changes for a while there are only the two ends of it.
    fn line(self, points: &[Point], seat: usize) -> String {
        let chance = |at: usize| points.get(at).and_then(|point| point.chances.get(seat)).copied();
        let mut line = String::new();
        for (at, point) in points.iter().enumerate() {
            let here = chance(at).unwrap_or_default();
            if at > 0 && chance(at - 1) == Some(here) && chance(at + 1) == Some(here) {
                continue;
            }
            let letter = if at == 0 { 'M' } else { 'L' };
            let _ = write!(line, "{letter}{:.1} {:.1}", self.x(point.step), self.y(here));
        }
        line
    }
}

/// Text for XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
