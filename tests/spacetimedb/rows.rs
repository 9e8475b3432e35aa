//! Rows that the vectors name by how they were made.

use onewrite::bsatn::{Decode, Encode, RowList, RowListWriter, Tail};
use serde_json::Value as Json;

/// The generator that `tests/data/README.md` describes.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

// Tuples, so that the vectors run without the derive macros too.

type Id = (u32,);

/// `id`, `hp`, `x`, `y`, `score`.
type Fixed = (u32, i32, f32, f32, u64);

/// `id`, `score`, `delta`, `name`.
type Mixed<'a> = (u32, u64, i32, &'a str);

/// Compares with the rows that `{kind, count, seed}` stands for: as values, and byte for byte.
pub(crate) fn same(list: &RowList<'_>, of: &Json) -> Result<(), String> {
    let (kind, count, seed) = parse(of)?;
    let mut numbers = SplitMix64(seed);
    match kind {
        "u32" => same_as(list, &random(count, &mut numbers))?,
        "u32seq" => same_as(list, &sequence(count))?,
        "fixed" => same_as(list, &fixed(count, &mut numbers))?,
        "mixed" => {
            let names = names(count, &mut SplitMix64(seed));
            same_as(list, &mixed(&names, &mut numbers))?;
        }
        other => return Err(format!("no rows of kind {other}")),
    }
    if bytes(list) == encode(of)? { Ok(()) } else { Err("row list has other bytes".to_owned()) }
}

/// The row list that `{kind, count, seed}` stands for.
pub(crate) fn encode(of: &Json) -> Result<Vec<u8>, String> {
    let (kind, count, seed) = parse(of)?;
    let mut numbers = SplitMix64(seed);
    match kind {
        "u32" => Ok(bytes(&RowListWriter::new(&random(count, &mut numbers)))),
        "u32seq" => Ok(bytes(&RowListWriter::new(&sequence(count)))),
        "fixed" => Ok(bytes(&RowListWriter::new(&fixed(count, &mut numbers)))),
        "mixed" => {
            let names = names(count, &mut SplitMix64(seed));
            Ok(with_offsets(&mixed(&names, &mut numbers)))
        }
        other => Err(format!("no rows of kind {other}")),
    }
}

/// The vectors give offsets also to a single row, which a server sends as of fixed size.
fn with_offsets(rows: &[Mixed<'_>]) -> Vec<u8> {
    let (mut offsets, mut data) = (Vec::new(), Vec::new());
    for row in rows {
        offsets.push(data.len() as u64);
        data.extend(bytes(row));
    }
    bytes(&(1u8, offsets.as_slice(), data.as_slice()))
}

/// Rows with the ids from 0 on.
pub(crate) fn sequence(count: u32) -> Vec<(u32,)> {
    (0..count).map(|id| (id,)).collect()
}

/// What the value takes in BSATN.
pub(crate) fn bytes<T: Encode>(value: &T) -> Vec<u8> {
    let mut out = vec![0; value.encoded_len()];
    assert_eq!(value.encode_to_slice(&mut out).map_err(|error| error.kind), Ok(out.len()));
    out
}

fn parse(of: &Json) -> Result<(&str, u32, u64), String> {
    let wrong = || format!("no rows: {of}");
    let count = of["count"].as_u64().and_then(|count| count.try_into().ok());
    Ok((
        of["kind"].as_str().ok_or_else(wrong)?,
        count.ok_or_else(wrong)?,
        of["seed"].as_u64().ok_or_else(wrong)?,
    ))
}

fn same_as<'a, T: Decode<'a> + PartialEq + std::fmt::Debug>(
    list: &RowList<'a>,
    expected: &[T],
) -> Result<(), String> {
    if list.len() != expected.len() {
        return Err(format!("{} rows where {} were expected", list.len(), expected.len()));
    }
    for (row, expected) in list.typed::<T>(Tail::Strict).zip(expected) {
        match row {
            Ok(row) if row == *expected => {}
            other => return Err(format!("row {other:?}, and not {expected:?}")),
        }
    }
    Ok(())
}

#[allow(clippy::cast_possible_truncation, reason = "that is how the rows are made")]
fn random(count: u32, numbers: &mut SplitMix64) -> Vec<Id> {
    (0..count).map(|_| (numbers.next() as u32,)).collect()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "as above")]
fn fixed(count: u32, numbers: &mut SplitMix64) -> Vec<Fixed> {
    (0..count)
        .map(|id| {
            let a = numbers.next();
            let (x, y) = ((a >> 8) as u16, (a >> 24) as u16);
            let hp = ((a as u32) % 101) as i32;
            (id, hp, f32::from(x) / 16.0, f32::from(y) / 16.0, numbers.next())
        })
        .collect()
}

fn names(count: u32, numbers: &mut SplitMix64) -> Vec<String> {
    (0..count)
        .map(|_| {
            let (a, b) = (numbers.next(), numbers.next());
            let digits = format!("{b:016x}");
            format!("p-{}", &digits[..usize::try_from(a % 17).unwrap()])
        })
        .collect()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "as above")]
fn mixed<'a>(names: &'a [String], numbers: &mut SplitMix64) -> Vec<Mixed<'a>> {
    (0..)
        .zip(names)
        .map(|(id, name)| {
            let (a, _) = (numbers.next(), numbers.next());
            (id, a >> 20, a as u32 as i32, name.as_str())
        })
        .collect()
}
