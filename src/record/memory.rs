//! How a value lies in memory, beside its record: compared by the compiler for each derived record.
//!
//! A wrong answer here could give wrong bytes and no more: what reads memory asks
//! `zerocopy::IntoBytes` besides, so that every byte it reads is one of a field.

use super::Endian;
use super::layout::{Message, Part};

/// On which machines a value's memory is its record, byte for byte.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Where numbers in memory begin with their least significant byte.
    little: bool,
    /// Where they begin with their most significant one.
    big: bool,
    /// Why on none.
    difference: Option<Difference>,
}

/// A field in both places.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its bytes in the record.
    pub part: Part,
    /// Its first byte in memory.
    pub memory: usize,
    /// Its own bytes, or those of each item.
    pub value: Memory,
}

#[derive(Clone, Copy, Debug)]
enum Difference {
    /// In words that follow "the record", or the name of a field.
    Said(&'static str),
    Size {
        record: usize,
        memory: usize,
    },
    Place {
        part: Part,
        memory: usize,
    },
    Value {
        part: Part,
        why: &'static str,
    },
}

impl Memory {
    /// Bytes without an order: `bool`, and arrays of bytes.
    pub const BYTES: Self = Self { little: true, big: true, difference: None };

    /// A number of `bytes` bytes in this order.
    #[must_use]
    pub const fn number(order: Endian, bytes: usize) -> Self {
        match order {
            _ if bytes < 2 => Self::BYTES,
            Endian::Little => Self { big: false, ..Self::BYTES },
            Endian::Big => Self { little: false, ..Self::BYTES },
        }
    }

    /// Not its record; `why` is a sentence that begins with "the record".
    #[must_use]
    pub const fn unlike(why: &'static str) -> Self {
        Self::differs(Difference::Said(why))
    }

    const fn differs(difference: Difference) -> Self {
        Self { little: false, big: false, difference: Some(difference) }
    }

    /// A record of `size` bytes, `memory` of them in memory, with fields at these places.
    #[must_use]
    pub const fn of(size: usize, memory: usize, mut places: &[Place]) -> Self {
        let (mut little, mut big, mut covered) = (true, true, 0usize);
        if size != memory {
            return Self::differs(Difference::Size { record: size, memory });
        }
        while let [place, rest @ ..] = places {
            let Place { part, memory, value } = *place;
            if part.at != memory {
                return Self::differs(Difference::Place { part, memory });
            }
            if let Some(difference) = value.difference {
                let Difference::Said(why) = difference else {
                    return Self::differs(Difference::Value { part, why: "differs in itself" });
                };
                return Self::differs(Difference::Value { part, why });
            }
            little &= value.little;
            big &= value.big;
            // Fields do not overlap: the layout was checked.
            covered = covered.saturating_add(part.len);
            places = rest;
        }
        if covered != size {
            return Self::unlike("has padding, which is zero only on the wire");
        }
        if !little && !big {
            return Self::unlike("has numbers in both byte orders, as no machine has them");
        }
        Self { little, big, difference: None }
    }

    /// Whether memory is the record on the machine that is compiled for.
    ///
    /// # Panics
    ///
    /// At compile time only, where it is so on no machine.
    #[must_use]
    #[track_caller]
    pub const fn is_record(self) -> bool {
        if let Some(difference) = self.difference {
            difference.stop();
        }
        if cfg!(target_endian = "little") { self.little } else { self.big }
    }
}

impl Difference {
    #[track_caller]
    const fn stop(self) -> ! {
        let mut message = Message::new();
        message.text("in memory a value is not its record: ");
        match self {
            Self::Said(why) => {
                message.text("the record ");
                message.text(why);
            }
            Self::Size { record, memory } => {
                message.text("the record has ");
                message.number(record);
                message.text(" bytes, and memory ");
                message.number(memory);
            }
            Self::Place { part, memory } => {
                message.part(part);
                message.text(" starts at byte ");
                message.number(memory);
                message.text(" in memory, so declare the fields in the order of the wire");
            }
            Self::Value { part, why } => {
                message.part(part);
                message.text(" ");
                message.text(why);
            }
        }
        message.text("; `write_slice` and `write_records` take any record");
        message.stop();
    }
}
