//! A table whose every row changes with each tick.

use onewrite::page::Content;

/// Rows of the table.
pub(crate) const ROWS: u32 = 200;

/// The rows after so many ticks.
pub(super) fn content(table: &mut Content<'_>, ticks: u64) {
    for row in 0..ROWS {
        table.element("tr").content(|r| {
            r.element("td").text(row);
            r.element("td").text(value(row, ticks));
        });
    }
}

/// What a row shows: a number from 0 to 999, never the same one twice in a row.
const fn value(row: u32, ticks: u64) -> u64 {
    (row as u64 * 37 + ticks % 1_000 * 11) % 1_000
}
