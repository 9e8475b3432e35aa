//! Rows that the captures name by how they were made.

use onewrite::bsatn::Encode;
use serde_json::Value as Json;

/// Compares the rows that came with those expected, in any order.
pub(crate) fn compare(
    table: &str,
    part: &str,
    found: Option<&Vec<Vec<u8>>>,
    expected: &Json,
) -> Result<(), String> {
    let mut rows = Vec::new();
    for of in expected.as_array().ok_or("no rows expected")? {
        make(of, &mut rows)?;
    }
    let mut found = found.cloned().unwrap_or_default();
    rows.sort();
    found.sort();
    if found == rows {
        return Ok(());
    }
    Err(format!("{part} of {table}: {} rows, and not the {} expected", found.len(), rows.len()))
}

/// Appends the rows of `[generator, first id, count, seed]`.
fn make(of: &Json, rows: &mut Vec<Vec<u8>>) -> Result<(), String> {
    let wrong = || format!("no rows: {of}");
    let number = |at: usize| of[at].as_i64().ok_or_else(wrong);
    let (first, count, seed) = (number(1)?, number(2)?, number(3)?);
    for id in first..first + count {
        let key = u32::try_from(id).map_err(|_| wrong())?;
        rows.push(match of[0].as_str() {
            Some("tick") => bytes(&(key, tick(id, seed), id % 3 == 0)),
            Some("note") => {
                let tail = usize::try_from((id + seed % 65_536) % 5).map_err(|_| wrong())?;
                bytes(&(key, format!("n{id}{}", "é".repeat(tail)).as_str()))
            }
            Some("same") => bytes(&(key, "same")),
            Some("ping") => bytes(&(key, format!("p{id}").as_str())),
            Some("sink") => sink(key),
            _ => return Err(wrong()),
        });
    }
    Ok(())
}

/// A row with a column of every type.
#[allow(clippy::cast_possible_truncation, reason = "there are few")]
fn sink(id: u32) -> Vec<u8> {
    let small = id as u8;
    let count_up = |len: u8| (0..len).map(move |at| at.wrapping_add(small));
    let words: Vec<u16> = (0..id as u16).collect();
    let names: Vec<String> = (0..id).map(|at| format!("w{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = format!("sink {id} ü");
    let mut row = bytes(&(id, id.is_multiple_of(2), -1 - small.cast_signed(), -300i16, -70_000i32));
    row.extend(bytes(&(-5_000_000_000i64, -(1i128 << 100))));
    row.extend([&(-77i128).to_le_bytes()[..], &[0xff; 16]].concat());
    row.extend(bytes(&(200u8, 60_000u16, 1u64 << 60)));
    row.extend(count_up(16).chain(count_up(32)));
    row.extend(bytes(&(1.5f32 + f32::from(small), -0.0f64, text.as_str())));
    row.extend(bytes(&(vec![small; id as usize].as_slice(), words.as_slice(), names.as_slice())));
    row.extend(bytes(&(Some(5u16), None::<u16>)));
    row.extend(match id % 3 {
        0 => bytes(&0u8),
        1 => bytes(&(1u8, 0.25f32)),
        _ => bytes(&(2u8, "q")),
    });
    row.extend(bytes(&(9u8, "pair")));
    row.extend(count_up(32).chain(count_up(16)));
    row.extend(bytes(&(1_700_000_000_000_001i64, 1_000_003i64)));
    row.extend(bytes(&(0u8, 250i64, 1u8, 42i64)));
    row
}

#[allow(clippy::cast_possible_truncation, reason = "it wraps")]
fn tick(id: i64, seed: i64) -> i16 {
    (id * 7 + seed) as i16
}

fn bytes<T: Encode>(value: &T) -> Vec<u8> {
    let mut out = vec![0; value.encoded_len()];
    value.encode_to_slice(&mut out).unwrap();
    out
}
