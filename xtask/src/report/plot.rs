//! Pictures of a measurement, as SVG. They need no plot tool and no font of ours.
//!
//! What cannot be drawn is a gap with a note, in the picture and in [`Picture::notes`].

use super::document::{Document, Facts, Unit};
use super::history::{History, title};
use super::measure::{Measure, Value};
use super::page::unfit;
use super::text::wrapped;

mod bars;
mod canvas;
mod lines;
mod scale;

use canvas::{Anchor, Canvas, Style};
pub(crate) use scale::Growth;
use scale::short;

/// An SVG document, and what it could not show.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) svg: String,
    pub(crate) notes: Vec<String>,
}

/// Every workload and shape of one measurement.
pub(crate) fn of_one(document: &Document, growth: Option<Growth>) -> anyhow::Result<Picture> {
    let measure = Measure::of(std::slice::from_ref(document))?;
    Ok(bars::draw(document, measure, growth))
}

/// The same of times a record, also where bytes could be compared by the second: shapes that write
/// other bytes for the same records are in it.
pub(crate) fn of_times(document: &Document) -> anyhow::Result<Picture> {
    let measure = Measure::PerRecord(Unit::Nanoseconds);
    if document.results.iter().any(|row| row.ns.is_none()) {
        anyhow::bail!("some results have no time");
    }
    Ok(bars::draw(document, measure, Some(Growth::Log)))
}

/// Every workload and shape over the runs.
pub(crate) fn of_history(history: &History, growth: Option<Growth>) -> Picture {
    lines::draw(history, growth)
}

/// The width of a picture, in pixels.
const WIDTH: f64 = 1160.0;
const MARGIN: f64 = 24.0;

/// Between two columns of panels.
const GUTTER: f64 = 36.0;

/// In how many columns panels stand, and how wide each is.
fn grid(panels: usize) -> (usize, f64) {
    let width = WIDTH - 2.0 * MARGIN;
    if panels > 1 { (2, (width - GUTTER) / 2.0) } else { (1, width) }
}

/// What stands above the panels; returns where the next line may begin.
fn heading(canvas: &mut Canvas, words: &str, lines: &[String], warnings: &[String]) -> f64 {
    let mut y = MARGIN + 16.0;
    canvas.text((MARGIN, y), words, Style::TITLE, Anchor::Start);
    y += 8.0;
    for line in lines.iter().flat_map(|line| wrapped(line, LINE)) {
        y += 16.0;
        canvas.text((MARGIN, y), &line, Style::FACT, Anchor::Start);
    }
    for line in warnings.iter().flat_map(|line| wrapped(&format!("WARNING: {line}"), LINE)) {
        y += 18.0;
        canvas.text((MARGIN, y), &line, Style::WARNING, Anchor::Start);
    }
    y + 20.0
}

/// What stands below the panels; returns the height of the picture.
fn footing(canvas: &mut Canvas, mut y: f64, lines: &[String], notes: &[String]) -> f64 {
    for (all, style) in [(lines, Style::FACT), (notes, Style::WARNING)] {
        for line in all.iter().flat_map(|line| wrapped(line, LINE)) {
            y += 16.0;
            canvas.text((MARGIN, y), &line, style, Anchor::Start);
        }
    }
    y + MARGIN
}

/// So many letters of a fact fill the width.
const LINE: usize = 170;

/// The facts that a number means nothing without.
fn environment(facts: &Facts) -> String {
    let known = KEY_FACTS.iter().filter_map(|&name| Some((name, facts.get(name)?)));
    known.map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join(" | ")
}

const KEY_FACTS: [&str; 12] = [
    "board",
    "model",
    "cpu",
    "emulator",
    "target",
    "kernel",
    "governor",
    "rustc",
    "opt level",
    "rustflags",
    "strict-align",
    "commit",
];

/// What the numbers are, how they grow, and which direction is good.
fn axis_title(measure: Measure, growth: Growth) -> String {
    let scale = match growth {
        Growth::Linear => "",
        Growth::Log => ", log scale",
    };
    format!("{}{scale}; {}", measure.title(), measure.direction())
}

/// A value for the tip that a pointer shows.
fn tip(name: &str, value: Value, measure: Measure) -> String {
    let Value { center, low, high } = value;
    let interval = if low == high {
        String::new()
    } else if high.is_finite() {
        format!(" ({} to {})", short(low), short(high))
    } else {
        format!(" ({} and more)", short(low))
    };
    format!("{name}: {}{interval}, {}", short(center), measure.title())
}

/// What an arrow is, where there are some.
fn arrows(count: usize) -> Option<String> {
    (count > 0).then(|| format!("arrow: the whisker goes on beyond the axis ({count} times)"))
}

/// Why a value is not drawn.
fn reason(value: f64, growth: Growth) -> &'static str {
    if !value.is_finite() {
        "no finite number"
    } else if value == 0.0 && growth == Growth::Log {
        "0 has no place on a log axis"
    } else {
        "too small or too large to draw"
    }
}

/// What an axis has to hold: centers, and ends of intervals unless they are far out.
fn extent(values: &[Value]) -> Vec<f64> {
    let centers = values.iter().map(|value| value.center);
    let largest = centers.clone().filter(|center| center.is_finite()).fold(0.0, f64::max);
    let ends = values.iter().map(|value| value.high).filter(|&high| high <= largest * FAR);
    let mut all: Vec<f64> = centers.chain(ends).collect();
    all.retain(|value| value.is_finite());
    all
}

/// The end of an interval beyond so many times the largest value is cut, with an arrow.
const FAR: f64 = 1.5;

/// A name in so many letters; what is cut has a mark.
fn cut(name: &str, letters: usize) -> String {
    use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};
    let name = super::text::visible(name);
    if name.width() <= letters {
        return name;
    }
    let mut kept = String::new();
    for character in name.chars() {
        if kept.width() + character.width().unwrap_or(0) + 1 > letters {
            break;
        }
        kept.push(character);
    }
    kept + "\u{2026}"
}
