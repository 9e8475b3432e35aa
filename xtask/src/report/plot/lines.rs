//! Several measurements: a panel for each workload, in it a line for each shape over the runs.

use super::{
    Anchor, Canvas, GUTTER, Growth, MARGIN, Picture, Style, Value, WIDTH, arrows, axis_title, cut,
    environment, extent, footing, grid, heading, reason, short, tip, title,
};
use crate::report::history::{History, Series, number};
use crate::report::plot::canvas::{Mark, Place};
use crate::report::plot::scale::Scale;

/// Numbers left of a panel, names right of it.
const NUMBERS: f64 = 52.0;
const NAMES: f64 = 124.0;
const LETTERS: usize = 16;
const PLOT: f64 = 190.0;
const ABOVE: f64 = 44.0;
const BELOW: f64 = 78.0;
/// From one name to the next.
const NAME: f64 = 15.0;
/// A date needs so much room.
const DATE: f64 = 74.0;

/// Told apart also by those who see no red or no green (Okabe and Ito).
const COLORS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7f6000", "#56b4e9", "#000000"];
const GRID: &str = "#dddddd";
const AXIS: &str = "#1a1a1a";

pub(super) fn draw(history: &History, growth: Option<Growth>) -> Picture {
    let series = history.series();
    let values: Vec<Value> =
        series.iter().flat_map(|series| series.values.iter().copied().flatten()).collect();
    let growth = growth.unwrap_or_else(|| Growth::fitting(&extent(&values)));
    let mut canvas = Canvas::default();
    let measure = history.measure;
    let runs = history.runs.len();
    let words = format!("{}, over {runs} runs; label {}", title(measure), history.label.as_str());
    let newest = history.runs.last().map(|run| environment(&run.environment));
    let lines = [format!("newest: {}", newest.unwrap_or_default())];
    let top = heading(&mut canvas, &words, &lines, &history.warnings());
    let mut panels = Panels {
        canvas: &mut canvas,
        history,
        growth,
        axis: axis_title(measure, growth),
        notes: Vec::new(),
        beyond: 0,
    };
    // Series of a workload stand together.
    let groups: Vec<&[Series]> =
        series.chunk_by(|one, next| one.workload == next.workload).collect();
    let (columns, width) = grid(groups.len());
    let mut y = top;
    for pair in groups.chunks(columns) {
        let (mut x, mut tallest) = (MARGIN, 0.0_f64);
        for group in pair {
            tallest = tallest.max(panels.panel((x, y), width, group));
            x += width + GUTTER;
        }
        y += tallest;
    }
    let Panels { notes, beyond, .. } = panels;
    let mut lines = vec![measure.legend().to_owned(), "runs stand at equal distances".to_owned()];
    lines.extend(arrows(beyond));
    let height = footing(&mut canvas, y, &lines, &notes);
    Picture { svg: canvas.finish((WIDTH, height), &words), notes }
}

struct Panels<'a> {
    canvas: &'a mut Canvas,
    history: &'a History,
    growth: Growth,
    axis: String,
    notes: Vec<String>,
    /// Whiskers that the axis is too short for.
    beyond: usize,
}

impl Panels<'_> {
    /// Draws the series of one workload; returns the height of the panel.
    fn panel(&mut self, corner: Place, width: f64, group: &[Series]) -> f64 {
        let (start, top) = corner;
        let values: Vec<Value> =
            group.iter().flat_map(|series| series.values.iter().copied().flatten()).collect();
        let scale = Scale::of(self.growth, &extent(&values));
        #[expect(clippy::cast_precision_loss, reason = "a few names")]
        let height = PLOT.max(group.len() as f64 * NAME);
        let (left, right) = (start + NUMBERS, start + width - NAMES);
        let (upper, lower) = (top + ABOVE, top + ABOVE + height);
        if let Some(first) = group.first() {
            let words = cut(&first.workload, 4 * LETTERS);
            self.canvas.text((start, top + 14.0), &words, Style::PANEL, Anchor::Start);
            let place = (start, top + 30.0);
            self.canvas.text(place, &self.axis, Style::TICK, Anchor::Start);
        }
        for &tick in &scale.ticks {
            let Some(part) = scale.place(tick) else { continue };
            let y = lower - part * height;
            self.canvas.line((left, y), (right, y), GRID, 1.0);
            self.canvas.text((left - 8.0, y + 4.0), &short(tick), Style::TICK, Anchor::End);
        }
        self.canvas.line((left, upper), (left, lower), AXIS, 1.0);
        self.canvas.line((left, lower), (right, lower), AXIS, 1.0);
        self.dates(left, right, lower);
        let mut names: Vec<(f64, String, &'static str)> = Vec::new();
        for (index, series) in group.iter().enumerate() {
            let color = COLORS.get(index % COLORS.len()).copied().unwrap_or(AXIS);
            let mark = Mark::ALL.get(index % Mark::ALL.len()).copied().unwrap_or(Mark::Circle);
            let frame = Frame { left, right, upper, lower, scale: &scale };
            let last = self.series(series, &frame, color, mark);
            names.push((last.unwrap_or(lower), cut(&series.shape, LETTERS), color));
        }
        self.names(names, right + 12.0, upper, lower);
        ABOVE + height + BELOW
    }

    /// Draws one line, broken where a value is missing; returns how high its end is.
    fn series(
        &mut self,
        series: &Series,
        frame: &Frame<'_>,
        color: &'static str,
        mark: Mark,
    ) -> Option<f64> {
        let name = format!("{} {}", series.workload, series.shape);
        let count = series.values.len();
        let mut pieces: Vec<Vec<Place>> = vec![Vec::new()];
        let mut last = None;
        for (index, value) in series.values.iter().enumerate() {
            let place = value.and_then(|value| frame.y(value.center));
            let (Some(value), Some(y)) = (value, place) else {
                let why = value.map_or("not measured", |v| reason(v.center, self.growth));
                self.notes.push(format!("{name}, run {}: a gap, {why}", number(index)));
                pieces.push(Vec::new());
                continue;
            };
            let x = frame.x(index, count);
            last = Some(y);
            if let Some(piece) = pieces.last_mut() {
                piece.push((x, y));
            }
            if value.low != value.high {
                // What lies beyond the axis ends at its end.
                let low = frame.y(value.low).unwrap_or(frame.lower).min(frame.lower);
                let high = frame.y(value.high).unwrap_or(frame.upper).max(frame.upper);
                self.canvas.line((x, low), (x, high), color, 1.2);
                self.canvas.line((x - 4.0, low), (x + 4.0, low), color, 1.2);
                if frame.y(value.high).is_some_and(|y| y >= frame.upper - 0.5) {
                    self.canvas.line((x - 4.0, high), (x + 4.0, high), color, 1.2);
                } else {
                    self.canvas.line((x - 4.0, high + 5.0), (x, high), color, 1.2);
                    self.canvas.line((x + 4.0, high + 5.0), (x, high), color, 1.2);
                    self.beyond += 1;
                }
            }
            let tip = tip(&format!("{name}, run {}", number(index)), *value, self.history.measure);
            self.canvas.mark(mark, (x, y), color, &tip);
        }
        for piece in pieces.iter().filter(|piece| piece.len() > 1) {
            self.canvas.path(piece, color);
        }
        last
    }

    /// Dates under the runs, as many as there is room for.
    fn dates(&mut self, left: f64, right: f64, lower: f64) {
        let count = self.history.runs.len();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "room for a few dates"
        )]
        let room = ((right - left) / DATE).max(1.0) as usize;
        let stride = count.div_ceil(room).max(1);
        for (index, run) in self.history.runs.iter().enumerate() {
            let x = frame_x(left, right, index, count);
            self.canvas.line((x, lower), (x, lower + 4.0), AXIS, 1.0);
            // The newest always has its date.
            if !(count - 1 - index).is_multiple_of(stride) {
                continue;
            }
            let (day, hour) = run.measured_at.to_the_minute();
            for (line, words) in [number(index), day, hour].iter().enumerate() {
                #[expect(clippy::cast_precision_loss, reason = "three lines")]
                let y = lower + 17.0 + line as f64 * 13.0;
                self.canvas.text((x, y), words, Style::TICK, Anchor::Middle);
            }
        }
        let place = ((left + right) / 2.0, lower + 60.0);
        self.canvas.text(place, "run, and when it ended (UTC)", Style::TICK, Anchor::Middle);
    }

    /// Names beside the ends of their lines, pushed apart.
    fn names(
        &mut self,
        mut names: Vec<(f64, String, &'static str)>,
        x: f64,
        upper: f64,
        lower: f64,
    ) {
        names.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut next = upper;
        for (y, _, _) in &mut names {
            *y = y.max(next);
            next = *y + NAME;
        }
        let mut limit = lower;
        for (y, _, _) in names.iter_mut().rev() {
            *y = y.min(limit);
            limit = *y - NAME;
        }
        for (y, name, color) in names {
            self.canvas.text((x, y + 4.0), &name, Style::NAME.colored(color), Anchor::Start);
        }
    }
}

/// Where a panel's values are drawn.
struct Frame<'a> {
    left: f64,
    right: f64,
    upper: f64,
    lower: f64,
    scale: &'a Scale,
}

impl Frame<'_> {
    fn x(&self, index: usize, count: usize) -> f64 {
        frame_x(self.left, self.right, index, count)
    }

    fn y(&self, value: f64) -> Option<f64> {
        Some(self.lower - self.scale.place(value)? * (self.lower - self.upper))
    }
}

/// Runs stand in the middle of equal parts of the axis.
#[expect(clippy::cast_precision_loss, reason = "a number of runs")]
fn frame_x(left: f64, right: f64, index: usize, count: usize) -> f64 {
    left + (index as f64 + 0.5) / count.max(1) as f64 * (right - left)
}
