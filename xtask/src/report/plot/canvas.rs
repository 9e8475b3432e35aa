//! Lines, boxes and words at places in pixels.

use svg::Node as _;
use svg::node::element::{Element, SVG};
use svg::node::{Text, Value};

use crate::report::text::visible;

/// What has been drawn so far.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    elements: Vec<Element>,
}

/// Which side of a word is at its place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a word looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    size: f64,
    bold: bool,
    color: &'static str,
}

/// Text that is read first.
const DARK: &str = "#1a1a1a";
/// Text that is read after that.
const SOFT: &str = "#555555";
/// What is wrong.
const RED: &str = "#a31515";

impl Style {
    pub(super) const TITLE: Self = Self { size: 20.0, bold: true, color: DARK };
    pub(super) const PANEL: Self = Self { size: 13.0, bold: true, color: DARK };
    pub(super) const NAME: Self = Self { size: 12.0, bold: false, color: DARK };
    pub(super) const FACT: Self = Self { size: 12.0, bold: false, color: SOFT };
    pub(super) const TICK: Self = Self { size: 11.0, bold: false, color: SOFT };
    pub(super) const WARNING: Self = Self { size: 12.0, bold: true, color: RED };
    pub(super) const GAP: Self = Self { size: 11.0, bold: false, color: RED };

    /// The same in another color.
    pub(super) const fn colored(self, color: &'static str) -> Self {
        Self { color, ..self }
    }
}

/// The form of a mark; lines that cross are told apart by it also without colors.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    Circle,
    Square,
    Diamond,
    Triangle,
}

impl Mark {
    pub(super) const ALL: [Self; 4] = [Self::Circle, Self::Square, Self::Diamond, Self::Triangle];
}

/// A place: to the right, and down.
pub(super) type Place = (f64, f64);

impl Canvas {
    pub(super) fn text(&mut self, at: Place, words: &str, style: Style, anchor: Anchor) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let mut text = element("text");
        place(&mut text, "x", at.0);
        place(&mut text, "y", at.1);
        place(&mut text, "font-size", style.size);
        text.assign("fill", style.color);
        text.assign("text-anchor", anchor);
        if style.bold {
            text.assign("font-weight", "bold");
        }
        text.append(Text::new(visible(words)));
        self.elements.push(text);
    }

    pub(super) fn line(&mut self, from: Place, to: Place, color: &str, width: f64) {
        let mut line = element("line");
        for (name, value) in [("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)] {
            place(&mut line, name, value);
        }
        line.assign("stroke", color);
        place(&mut line, "stroke-width", width);
        self.elements.push(line);
    }

    /// A box from a corner, so wide and so high; `tip` is shown under a pointer.
    pub(super) fn bar(&mut self, corner: Place, size: Place, color: &str, tip: &str) {
        let mut bar = element("rect");
        place(&mut bar, "x", corner.0);
        place(&mut bar, "y", corner.1);
        place(&mut bar, "width", size.0);
        place(&mut bar, "height", size.1);
        bar.assign("fill", color);
        self.tipped(bar, tip);
    }

    pub(super) fn mark(&mut self, mark: Mark, at: Place, color: &str, tip: &str) {
        let (x, y) = at;
        let mut element = match mark {
            Mark::Circle => {
                let mut circle = element("circle");
                place(&mut circle, "cx", x);
                place(&mut circle, "cy", y);
                place(&mut circle, "r", 4.0);
                circle
            }
            Mark::Square => corners(&[
                (x - 4.0, y - 4.0),
                (x + 4.0, y - 4.0),
                (x + 4.0, y + 4.0),
                (x - 4.0, y + 4.0),
            ]),
            Mark::Diamond => corners(&[(x, y - 5.5), (x + 5.5, y), (x, y + 5.5), (x - 5.5, y)]),
            Mark::Triangle => corners(&[(x, y - 5.0), (x + 5.0, y + 4.0), (x - 5.0, y + 4.0)]),
        };
        element.assign("fill", color);
        self.tipped(element, tip);
    }

    /// A line through several places.
    pub(super) fn path(&mut self, places: &[Place], color: &str) {
        let mut path = corners(places);
        path = {
            let mut open = element("polyline");
            for (name, value) in path.get_attributes() {
                open.assign(name.clone(), value.clone());
            }
            open
        };
        path.assign("fill", "none");
        path.assign("stroke", color);
        place(&mut path, "stroke-width", 1.8);
        self.elements.push(path);
    }

    fn tipped(&mut self, mut element: Element, tip: &str) {
        let mut title = Element::new("title");
        title.append(Text::new(visible(tip)));
        element.append(title);
        self.elements.push(element);
    }

    /// The whole picture; `title` names it for those who cannot see it.
    pub(super) fn finish(self, size: Place, title: &str) -> String {
        let mut picture = SVG::new();
        picture.assign("xmlns", "http://www.w3.org/2000/svg");
        picture.assign("viewBox", format!("0 0 {} {}", rounded(size.0), rounded(size.1)));
        place(&mut picture, "width", size.0);
        place(&mut picture, "height", size.1);
        picture.assign("font-family", "system-ui, Helvetica, Arial, sans-serif");
        picture.assign("role", "img");
        let mut name = Element::new("title");
        name.append(Text::new(visible(title)));
        picture.append(name);
        let mut ground = element("rect");
        place(&mut ground, "width", size.0);
        place(&mut ground, "height", size.1);
        ground.assign("fill", "#ffffff");
        picture.append(ground);
        for element in self.elements {
            picture.append(element);
        }
        format!("{picture}\n")
    }
}

fn element(name: &str) -> Element {
    Element::new(name)
}

fn corners(places: &[Place]) -> Element {
    let mut polygon = element("polygon");
    let words: Vec<String> =
        places.iter().map(|&(x, y)| format!("{},{}", rounded(x), rounded(y))).collect();
    polygon.assign("points", words.join(" "));
    polygon
}

fn place(node: &mut impl svg::Node, name: &str, value: f64) {
    node.assign(name, Value::from(rounded(value)));
}

/// A tenth of a pixel is as exact as anybody sees.
fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
