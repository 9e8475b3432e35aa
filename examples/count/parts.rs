//! Parts of the core that no batch shows by itself, counted alone; and an encoder that is slow by
//! intent, for which the budgets have to be too small.
//!
//! | shape | a record is |
//! |---|---|
//! | `records-read` | a record of 20 bytes, read out of memory |
//! | `strings` | a string with its length in front; 4.5 bytes on average |
//! | `interning` | a look-up of one of 24 strings, which lie at 512 addresses |
//! | `templates` | 98 bytes of a response's head with two digits in it |
//! | `frames-slowed` | a record as in `frames-flat`, copied once more |

use core::hint::black_box;

use heapless::Vec;
use onewrite::bsatn::Encode as _;
use onewrite::record::{Record as _, WriteRecord as _};
use onewrite::render_batch::FrameRecord;
use onewrite::sink::SliceSink;
use onewrite::string_table::{Interned, Interner as _, StringTable, hash};
use onewrite::template;

use crate::flat::{RECORDS, Row, Slices};
use crate::shapes::Refused;

/// Strings, and fillings of the template.
const ITEMS: usize = 512;

const NAMES: [&str; 24] = [
    "div",
    "span",
    "class",
    "id",
    "tr",
    "td",
    "th",
    "table",
    "href",
    "onclick",
    "style",
    "title",
    "h1",
    "p",
    "button",
    "input",
    "value",
    "checked",
    "aria-label",
    "data-row-index",
    "a",
    "li",
    "ul",
    "option",
];

template!(
    HEAD = "HTTP/1.1 200 OK\r\nServer: onewrite\r\nContent-Type: text/plain; charset=utf-8\r\n\
            Content-Length: ",
    len: dec(2),
    "\r\n\r\n"
);

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    RecordsRead,
    Strings,
    Interning,
    Templates,
    FramesSlowed,
}

pub(crate) const ALL: [Part; 5] =
    [Part::RecordsRead, Part::Strings, Part::Interning, Part::Templates, Part::FramesSlowed];

/// What the parts work on: each string has an address of its own.
#[derive(Debug)]
pub(crate) struct Items {
    text: [[u8; 16]; ITEMS],
    table: StringTable<64>,
}

impl Items {
    pub(crate) fn new() -> Self {
        let mut text = [[0; 16]; ITEMS];
        for (bytes, name) in text.iter_mut().zip(names()) {
            for (byte, letter) in bytes.iter_mut().zip(name.bytes()) {
                *byte = letter;
            }
        }
        Self { text, table: StringTable::new() }
    }
}

/// The names of all strings, in an order without a period.
fn names() -> impl Iterator<Item = &'static str> {
    (0..ITEMS).map(|i| NAMES.get(i * i % 577 % NAMES.len()).copied().unwrap_or_default())
}

/// The strings, at their own addresses.
fn strings(text: &[[u8; 16]; ITEMS]) -> Option<Vec<&str, ITEMS>> {
    let mut strings = Vec::new();
    for (bytes, name) in text.iter().zip(names()) {
        strings.push(core::str::from_utf8(bytes.get(..name.len())?).ok()?).ok()?;
    }
    Some(strings)
}

impl Part {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::RecordsRead => "records-read",
            Self::Strings => "strings",
            Self::Interning => "interning",
            Self::Templates => "templates",
            Self::FramesSlowed => "frames-slowed",
        }
    }

    pub(crate) const fn records(self) -> usize {
        match self {
            Self::RecordsRead | Self::FramesSlowed => RECORDS,
            Self::Strings | Self::Interning | Self::Templates => ITEMS,
        }
    }

    /// Bytes that are written, or read.
    pub(crate) fn bytes(self) -> usize {
        let text: usize = names().map(str::len).sum();
        match self {
            Self::RecordsRead | Self::FramesSlowed => Row::FramesFlat.bytes(),
            Self::Strings => text + 4 * ITEMS,
            Self::Interning => text,
            Self::Templates => HEAD::LEN * ITEMS,
        }
    }

    /// Does it once, checks what came out, and repeats it.
    pub(crate) fn repeat(
        self,
        slices: &Slices,
        items: &mut Items,
        out: &mut [u8],
        reps: u32,
    ) -> Result<(), Refused> {
        let Items { text, table } = items;
        let strings = strings(text).ok_or(Refused)?;
        let is_right = match self {
            Self::RecordsRead => {
                let len = Row::FramesFlat.write(slices, out)?;
                let wire = out.get(..len).ok_or(Refused)?;
                let right = records_read(wire)? == slices.checksum();
                for _ in 0..reps {
                    let _ = black_box(records_read(black_box(wire)));
                }
                right
            }
            Self::Strings => {
                let len = strings_written(&strings, out)?;
                let right = is_strings(out.get(..len).ok_or(Refused)?);
                for _ in 0..reps {
                    let _ = black_box(strings_written(black_box(&strings), out));
                }
                right
            }
            Self::Interning => {
                let right = interned(table, &strings) == Some(expected_sum());
                for _ in 0..reps {
                    black_box(interned(table, black_box(&strings)));
                }
                right
            }
            Self::Templates => {
                let len = templates(out)?;
                let right = is_templates(out.get(..len).ok_or(Refused)?);
                for _ in 0..reps {
                    let _ = black_box(templates(out));
                }
                right
            }
            Self::FramesSlowed => {
                let len = slowed(slices.frames(), out)?;
                let right = Row::FramesFlat.is_right(out.get(..len).ok_or(Refused)?);
                for _ in 0..reps {
                    let _ = black_box(slowed(black_box(slices.frames()), out));
                }
                right
            }
        };
        if is_right { Ok(()) } else { Err(Refused) }
    }
}

#[inline(never)]
fn records_read(mut wire: &[u8]) -> Result<u64, Refused> {
    let mut sum = 0_u64;
    while !wire.is_empty() {
        let (frame, rest) = FrameRecord::take_from(wire).map_err(|_| Refused)?;
        sum = sum.wrapping_add(frame.event).wrapping_add(u64::from(frame.first.cast_unsigned()));
        wire = rest;
    }
    Ok(sum)
}

#[inline(never)]
fn strings_written(strings: &[&str], out: &mut [u8]) -> Result<usize, Refused> {
    let mut sink = SliceSink::new(out);
    for string in strings {
        string.encode(&mut sink).map_err(|_| Refused)?;
    }
    Ok(sink.written())
}

fn is_strings(mut out: &[u8]) -> bool {
    for name in names() {
        let Some((len, rest)) = out.split_first_chunk::<4>() else { return false };
        let len = u32::from_le_bytes(*len) as usize;
        if len != name.len() || rest.get(..len) != Some(name.as_bytes()) {
            return false;
        }
        out = rest.get(len..).unwrap_or_default();
    }
    out.is_empty()
}

/// The sum of the numbers that the strings get; none where one finds no room.
#[inline(never)]
fn interned(table: &mut StringTable<64>, strings: &[&str]) -> Option<u32> {
    table.clear();
    let (mut next, mut sum) = (0, 0);
    for (key, string) in (0_u32..).zip(strings) {
        let number = match table.intern(string, hash(string), next, key, strings) {
            Interned::Known(number) => number,
            Interned::New => {
                next += 1;
                next - 1
            }
            Interned::Full => return None,
        };
        sum += number;
    }
    Some(sum)
}

/// The same without a table.
fn expected_sum() -> u32 {
    let mut known: Vec<&str, 24> = Vec::new();
    let mut sum = 0;
    for name in names() {
        let at = known.iter().position(|other| *other == name).unwrap_or_else(|| {
            let at = known.len();
            // All of them have room.
            let _ = known.push(name);
            at
        });
        sum += u32::try_from(at).unwrap_or(u32::MAX);
    }
    sum
}

#[inline(never)]
fn templates(out: &mut [u8]) -> Result<usize, Refused> {
    let mut sink = SliceSink::new(out);
    for i in 0..ITEMS as u64 {
        HEAD.write_to(&mut sink, black_box(i % 100)).map_err(|_| Refused)?;
    }
    Ok(sink.written())
}

fn is_templates(out: &[u8]) -> bool {
    let (heads, rest) = out.as_chunks::<{ HEAD::LEN }>();
    let right = heads.iter().zip((0_u8..100).cycle()).all(|(head, number)| {
        let (tens, ones) = (b'0' + number / 10, b'0' + number % 10);
        head.starts_with(b"HTTP/1.1 200 OK\r\n")
            && head.last_chunk() == Some(&[tens, ones, b'\r', b'\n', b'\r', b'\n'])
    });
    right && rest.is_empty() && heads.len() == ITEMS
}

/// Each record goes through a place that the compiler has to fill.
#[inline(never)]
fn slowed(frames: &[FrameRecord], out: &mut [u8]) -> Result<usize, Refused> {
    let mut sink = SliceSink::new(out);
    for frame in frames {
        let copy = black_box(*frame);
        sink.write_record(&copy).map_err(|_| Refused)?;
    }
    Ok(sink.written())
}
