//! One measurement: a panel for each workload, in it a bar for each shape.

use super::{
    Anchor, Canvas, GUTTER, Growth, MARGIN, Measure, Picture, Style, Value, WIDTH, arrows,
    axis_title, cut, environment, extent, footing, grid, heading, reason, short, tip, title, unfit,
};
use crate::report::document::{BASE_SHAPE, Document, LIMIT_SHAPE, Row};
use crate::report::plot::canvas::Mark;
use crate::report::plot::scale::Scale;

const ROW: f64 = 22.0;
const BAR: f64 = 13.0;
/// Title above a panel's bars, and numbers and title of its axis below.
const ABOVE: f64 = 26.0;
const BELOW: f64 = 52.0;
/// Right of the axis, for the number at a bar's end.
const NUMBERS: f64 = 58.0;
/// Names get no more letters than that.
const LETTERS: usize = 24;
const LETTER: f64 = 7.0;

const OURS: &str = "#0072b2";
/// What we compare with.
const OTHERS: &str = "#9a9a9a";
const GRID: &str = "#dddddd";
const WHISKER: &str = "#1a1a1a";

pub(super) fn draw(document: &Document, measure: Measure, growth: Option<Growth>) -> Picture {
    let values: Vec<Value> = document.results.iter().filter_map(|row| measure.value(row)).collect();
    let numbers = extent(&values);
    let growth = growth.unwrap_or_else(|| Growth::fitting(&numbers));
    // One axis for all: a record and a second are the same in each workload.
    let scale = Scale::of(growth, &numbers);
    let mut canvas = Canvas::default();
    let words = format!("{}; label {}", title(measure), document.label.as_str());
    let lines =
        [environment(&document.environment), format!("measured at {}", document.measured_at)];
    let top = heading(&mut canvas, &words, &lines, &unfit(document));
    let workloads = document.workloads();
    let (columns, width) = grid(workloads.len());
    let axis = axis_title(measure, growth);
    let mut panels =
        Panels { canvas: &mut canvas, measure, growth, scale, axis, notes: Vec::new(), beyond: 0 };
    let mut y = top;
    for pair in workloads.chunks(columns) {
        let (mut x, mut tallest) = (MARGIN, 0.0_f64);
        for &workload in pair {
            let rows: Vec<&Row> =
                document.results.iter().filter(|row| row.workload == workload).collect();
            tallest = tallest.max(panels.panel((x, y), width, &rows));
            x += width + GUTTER;
        }
        y += tallest;
    }
    let Panels { notes, beyond, .. } = panels;
    let mut lines = vec![measure.legend().to_owned()];
    lines.extend(arrows(beyond));
    let others = [LIMIT_SHAPE, BASE_SHAPE];
    if document.results.iter().any(|row| others.contains(&row.shape.as_str())) {
        lines.push(format!(
            "grey, to compare with: {LIMIT_SHAPE}, the finished bytes copied; {BASE_SHAPE}, a \
             write for each field"
        ));
    }
    let height = footing(&mut canvas, y, &lines, &notes);
    Picture { svg: canvas.finish((WIDTH, height), &words), notes }
}

/// A number at an axis, and half the room that it takes.
fn half_and_word(tick: f64) -> (f64, String) {
    let word = short(tick);
    #[expect(clippy::cast_precision_loss, reason = "a few letters")]
    let half = (word.len() + 1) as f64 * LETTER / 2.0;
    (half, word)
}

/// What all panels share.
struct Panels<'a> {
    canvas: &'a mut Canvas,
    measure: Measure,
    growth: Growth,
    scale: Scale,
    axis: String,
    notes: Vec<String>,
    /// Whiskers that the axis is too short for.
    beyond: usize,
}

impl Panels<'_> {
    /// Draws the shapes of one workload; returns the height of the panel.
    fn panel(&mut self, corner: (f64, f64), width: f64, rows: &[&Row]) -> f64 {
        let (left, top) = corner;
        let letters = rows.iter().map(|row| row.shape.chars().count()).max().unwrap_or(0);
        #[expect(clippy::cast_precision_loss, reason = "a few letters")]
        let names = (letters.min(LETTERS) + 1) as f64 * LETTER;
        let (from, to) = (left + names, left + width - NUMBERS);
        #[expect(clippy::cast_precision_loss, reason = "a few rows")]
        let bottom = top + ABOVE + rows.len() as f64 * ROW;
        if let Some(row) = rows.first() {
            let words = format!(
                "{}: {} bytes, {} records",
                cut(&row.workload, 3 * LETTERS),
                row.bytes,
                row.records
            );
            self.canvas.text((left, top + 14.0), &words, Style::PANEL, Anchor::Start);
        }
        self.axis(from, to, top + ABOVE - 4.0, bottom);
        for (index, row) in rows.iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "a few rows")]
            let middle = top + ABOVE + (index as f64 + 0.5) * ROW;
            let name = cut(&row.shape, LETTERS);
            let place = (from - LETTER, middle + 4.0);
            self.canvas.text(place, &name, Style::NAME, Anchor::End);
            self.bar(row, from, to, middle);
        }
        bottom - top + BELOW
    }

    fn axis(&mut self, from: f64, to: f64, top: f64, bottom: f64) {
        let places: Vec<(f64, f64)> = self
            .scale
            .ticks
            .iter()
            .filter_map(|&tick| Some((from + self.scale.place(tick)? * (to - from), tick)))
            .collect();
        let mut end = f64::NEG_INFINITY;
        for (index, &(x, tick)) in places.iter().enumerate() {
            self.canvas.line((x, top), (x, bottom), GRID, 1.0);
            let (half, word) = half_and_word(tick);
            // The last number stays; one that would touch it or the one before is left out.
            let last = places.last().filter(|_| index + 1 < places.len());
            let limit = last.map_or(f64::INFINITY, |&(x, tick)| x - half_and_word(tick).0);
            if x - half > end && x + half < limit {
                self.canvas.text((x, bottom + 15.0), &word, Style::TICK, Anchor::Middle);
                end = x + half;
            }
        }
        self.canvas.line((from, bottom), (to, bottom), WHISKER, 1.0);
        let axis = self.axis.clone();
        self.canvas.text(((from + to) / 2.0, bottom + 31.0), &axis, Style::TICK, Anchor::Middle);
    }

    fn bar(&mut self, row: &Row, from: f64, to: f64, middle: f64) {
        let name = format!("{} {}", row.workload, row.shape);
        let Some(value) = self.measure.value(row) else {
            self.gap(&name, "not measured", from, middle);
            return;
        };
        let at = |number: f64| self.scale.place(number).map(|part| from + part * (to - from));
        let Some(end) = at(value.center) else {
            let why = reason(value.center, self.growth);
            self.gap(&name, why, from, middle);
            return;
        };
        let compared = [LIMIT_SHAPE, BASE_SHAPE].contains(&row.shape.as_str());
        let color = if compared { OTHERS } else { OURS };
        let tip = tip(&name, value, self.measure);
        // What lies beyond the axis is cut, and marked.
        let (low, high) = (at(value.low).unwrap_or(from), at(value.high).unwrap_or(f64::INFINITY));
        match self.growth {
            Growth::Linear => {
                let corner = (from, middle - BAR / 2.0);
                self.canvas.bar(corner, (end - from, BAR), color, &tip);
            }
            // The length of a bar would say nothing: the axis does not begin at zero.
            Growth::Log => {
                self.canvas.line((from, middle), (end, middle), GRID, 3.0);
                self.canvas.mark(Mark::Circle, (end, middle), color, &tip);
            }
        }
        let mut right = end;
        if value.low != value.high {
            let (low, cap) = (low.max(from), high.min(to));
            self.canvas.line((low, middle), (cap, middle), WHISKER, 1.2);
            self.canvas.line((low, middle - 4.0), (low, middle + 4.0), WHISKER, 1.2);
            if high > to {
                self.canvas.line((cap - 5.0, middle - 4.0), (cap, middle), WHISKER, 1.2);
                self.canvas.line((cap - 5.0, middle + 4.0), (cap, middle), WHISKER, 1.2);
                self.beyond += 1;
            } else {
                self.canvas.line((cap, middle - 4.0), (cap, middle + 4.0), WHISKER, 1.2);
            }
            right = right.max(cap);
        }
        let place = (right + 7.0, middle + 4.0);
        self.canvas.text(place, &short(value.center), Style::NAME, Anchor::Start);
    }

    fn gap(&mut self, name: &str, why: &str, from: f64, middle: f64) {
        self.canvas.text((from + 6.0, middle + 4.0), why, Style::GAP, Anchor::Start);
        self.notes.push(format!("{name}: {why}"));
    }
}
