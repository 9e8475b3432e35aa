//! Batches from a seed: every kind, with strings that collide, are empty, blank or long.

use crate::model::{Edit, Frame, Model, Value};

/// xorshift64*: the same batches on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// One of `0..end`.
    fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 32) % end
    }

    /// Mostly small, sometimes negative or as wide as it gets.
    fn int(&mut self) -> i32 {
        match self.below(8) {
            0 => self.next() as i32,
            1 => -(self.below(100) as i32),
            _ => self.below(50) as i32,
        }
    }

    fn id(&mut self) -> u64 {
        match self.below(4) {
            0 => self.next(),
            1 => 0,
            _ => self.below(1000),
        }
    }

    fn string(&mut self) -> String {
        const WORDS: [&str; 16] = [
            "",
            " ",
            "\n    ",
            "\u{a0}\u{2003}\u{3000}",
            "\u{200b}",
            "div",
            "DIV",
            "class",
            "onclick",
            "0123456789abcdef",
            "0123456789abcdeF",
            "0123456789abcdef-0123456789abcdef",
            "0123456789abcdef+0123456789abcdef",
            "naïve 日本 😀",
            "a\0b",
            "x",
        ];
        match self.below(40) {
            0 => "y".repeat(120 + self.below(16) as usize),
            1 => " ".repeat(120 + self.below(16) as usize),
            2 => "z".repeat(16_380 + self.below(8) as usize),
            3..=9 => format!("item {}", self.below(30)),
            _ => WORDS[self.below(WORDS.len() as u64) as usize].to_owned(),
        }
    }

    fn nullable(&mut self) -> Option<String> {
        if self.below(10) == 0 { None } else { Some(self.string()) }
    }

    fn edit(&mut self) -> Edit {
        let (sibling, other) = (self.int(), self.int());
        match self.below(10) {
            0 => Edit::PrependFrame(sibling, other),
            1 => Edit::RemoveFrame(sibling),
            2 => Edit::SetAttribute(sibling, other),
            3 => Edit::RemoveAttribute(sibling, self.nullable()),
            4 => Edit::UpdateText(sibling, other),
            5 => Edit::StepIn(sibling),
            6 => Edit::StepOut,
            7 => Edit::UpdateMarkup(sibling, other),
            8 => Edit::PermutationListEntry(sibling, other),
            _ => Edit::PermutationListEnd,
        }
    }

    fn frame(&mut self) -> Frame {
        match self.below(14) {
            0 | 1 => Frame::Element { name: self.nullable(), subtree: self.int() },
            2 | 3 => Frame::Text(self.nullable()),
            4 => Frame::Component { id: self.int(), subtree: self.int() },
            5 => Frame::Region(self.int()),
            6 => Frame::ElementReferenceCapture(self.nullable()),
            7 => Frame::ComponentReferenceCapture,
            8 => Frame::Markup(self.nullable()),
            9 => Frame::ComponentRenderMode,
            10 => Frame::NamedEvent,
            _ => {
                let value = match self.below(4) {
                    0 => Value::Null,
                    1 => Value::Bool(self.below(2) == 0),
                    _ => Value::String(self.string()),
                };
                Frame::Attribute { name: self.nullable(), value, event: self.id() }
            }
        }
    }
}

/// A batch for `seed`; every eighth is large.
pub(crate) fn batch(seed: u64) -> Model {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let size = if seed % 8 == 7 { 400 } else { 12 };
    let mut batch = Model::default();
    for _ in 0..random.below(5) {
        let component = random.int();
        let edits = random.below(size);
        batch.diffs.push((component, (0..edits).map(|_| random.edit()).collect()));
    }
    let frames = random.below(2 * size);
    batch.frames = (0..frames).map(|_| random.frame()).collect();
    let ids = random.below(size);
    batch.disposed_components = (0..ids).map(|_| random.int()).collect();
    let ids = random.below(size);
    batch.disposed_events = (0..ids).map(|_| random.id()).collect();
    batch
}
