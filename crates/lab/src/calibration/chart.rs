//! The chart of a calibration: what was predicted across, what came of it upwards.

use std::fmt::Write as _;

use super::Calibration;

const SIDE: f64 = 400.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 44.0;
const BARS: f64 = 60.0;

impl Calibration {
    /// A drawing that stands alone: a point for each bin with two standard errors, the diagonal of true predictions with four
    /// points to each side, and below how many positions each bin has.
    pub fn chart(&self) -> String {
        let x = |share: f64| LEFT + SIDE * share;
        let y = |share: f64| TOP + SIDE * (1.0 - share);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 500 570\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\
             <title>Predicted and actual win rates of {}</title>\
             <rect width=\"500\" height=\"570\" fill=\"#fdfaf3\"/>\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{}: {} positions, each continued {} times by {}</text>\n",
            self.game, self.game, self.positions, self.continuations, self.bot
        );
        let band = [(0.0, 0.04), (0.96, 1.0), (1.0, 1.0), (1.0, 0.96), (0.04, 0.0), (0.0, 0.0)];
        let corners: Vec<String> = band.iter().map(|(a, b)| format!("{:.0},{:.0}", x(*a), y(*b))).collect();
        let _ = writeln!(svg, "<polygon points=\"{}\" fill=\"#d9e6d2\"/>", corners.join(" "));
        for tenth in 0..=10 {
            let share = f64::from(tenth) / 10.0;
            let _ = writeln!(
                svg,
                "<path d=\"M{0:.0} {TOP}V{1:.0}M{LEFT} {2:.0}H{3:.0}\" stroke=\"#cfc6b4\" stroke-width=\".6\"/>\
                 <text x=\"{0:.0}\" y=\"{4:.0}\" text-anchor=\"middle\">{5}</text>\
                 <text x=\"{6:.0}\" y=\"{7:.0}\" text-anchor=\"end\">{5}</text>",
                x(share),
                y(0.0),
                y(share),
                x(1.0),
                y(0.0) + 16.0,
                tenth * 10,
                LEFT - 6.0,
                y(share) + 4.0
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{:.0} {:.0}L{:.0} {:.0}\" stroke=\"#3d5a3a\" stroke-dasharray=\"4 3\"/>",
            x(0.0),
            y(0.0),
            x(1.0),
            y(1.0)
        );
        let most = self.bins.iter().map(|bin| bin.positions).max().unwrap_or(1).max(1) as f64;
        let foot = y(0.0) + 34.0 + BARS;
        for (at, bin) in self.bins.iter().enumerate().filter(|(_, bin)| bin.positions > 0) {
            let height = BARS * bin.positions as f64 / most;
            let left = x(at as f64 / self.bins.len() as f64) + 3.0;
            let wide = SIDE / self.bins.len() as f64 - 6.0;
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"{height:.1}\" fill=\"#9aa88f\"/>\
                 <text x=\"{:.1}\" y=\"{:.0}\" text-anchor=\"middle\" font-size=\"10\">{}</text>",
                foot - height,
                left + wide / 2.0,
                foot + 12.0,
                bin.positions
            );
            let (px, py) = (x(bin.predicted), y(bin.actual));
            let [high, low] =
                [1.0, -1.0].map(|sign| y((bin.actual + sign * 2.0 * bin.error).clamp(0.0, 1.0)));
            let _ = writeln!(
                svg,
                "<path d=\"M{px:.1} {high:.1}V{low:.1}\" stroke=\"#8c2f1b\" stroke-width=\"1.5\"/>\
                 <circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"4.5\" fill=\"#8c2f1b\"/>"
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">predicted chance, % (below: positions in each bin)</text>\
             <text transform=\"translate(16 {:.0}) rotate(-90)\" text-anchor=\"middle\">actual rate, %</text></svg>",
            x(0.5),
            foot + 28.0,
            y(0.5)
        );
        svg
    }
}
