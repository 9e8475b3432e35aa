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
            _ => return Err(wrong()),
        });
    }
    Ok(())
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
