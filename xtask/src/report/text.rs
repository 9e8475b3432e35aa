//! A page for a terminal: columns line up by what a terminal shows, and the lines fit its width.
//!
//! Our own words are ASCII; names are UTF-8 as they came, whatever the locale says. There are no
//! colours and no escape codes: a control character in a name is written out.

use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::page::{Kind, Page, Table};

/// Fits the tables into so many columns of a terminal; without a width they are as wide as they
/// are.
pub(crate) fn render(page: &Page, width: Option<usize>) -> String {
    let mut text = String::new();
    for (name, value) in &page.facts {
        let _ = writeln!(text, "{}: {}", visible(name), visible(value));
    }
    for warning in &page.warnings {
        let _ = writeln!(text, "WARNING: {}", visible(warning));
    }
    for table in &page.tables {
        text.push('\n');
        text.push_str(&fitted(table, width));
    }
    if !page.notes.is_empty() {
        text.push('\n');
    }
    for note in &page.notes {
        let _ = writeln!(text, "{}", visible(note));
    }
    text
}

/// Escapes what a terminal would obey.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Leaves columns out until the lines fit, and says which; where even names and the main number
/// do not fit beside each other, every row becomes a block with a line a column.
fn fitted(table: &Table, width: Option<usize>) -> String {
    let filled = table.filled();
    let mut kept = filled.clone();
    let limit = width.unwrap_or(usize::MAX);
    while line_width(table, &kept) > limit {
        let rank = |&at: &usize| table.columns.get(at).map_or(0, |column| column.rank);
        let Some(worst) = kept.iter().map(rank).max().filter(|&rank| rank > 0) else {
            return folded(table, &filled, limit);
        };
        kept.retain(|at| rank(at) != worst);
    }
    let mut text = aligned(table, &kept);
    if kept.len() < filled.len() {
        let left_out: Vec<String> = filled
            .iter()
            .filter(|at| !kept.contains(at))
            .filter_map(|&at| Some(visible(&table.columns.get(at)?.head)))
            .collect();
        let note = format!("(no room here for: {})", left_out.join(", "));
        for line in wrapped(&note, limit) {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// Two spaces between columns.
const GAP: usize = 2;

fn cell(table: &Table, row: &[String], at: usize) -> String {
    let word = visible(row.get(at).map_or("", String::as_str));
    let is_number = table.columns.get(at).is_some_and(|column| column.kind == Kind::Number);
    if word.is_empty() && is_number { "-".to_owned() } else { word }
}

fn head(table: &Table, at: usize) -> String {
    visible(table.columns.get(at).map_or("", |column| &column.head))
}

fn column_width(table: &Table, at: usize) -> usize {
    let cells = table.rows.iter().map(|row| cell(table, row, at).width());
    cells.max().unwrap_or(0).max(head(table, at).width())
}

fn line_width(table: &Table, kept: &[usize]) -> usize {
    let widths: usize = kept.iter().map(|&at| column_width(table, at) + GAP).sum();
    widths.saturating_sub(GAP)
}

fn aligned(table: &Table, kept: &[usize]) -> String {
    let widths: Vec<usize> = kept.iter().map(|&at| column_width(table, at)).collect();
    let line = |word: &dyn Fn(usize) -> String| {
        let mut line = String::new();
        for (&at, &width) in kept.iter().zip(&widths) {
            let word = word(at);
            let fill = " ".repeat(width - word.width().min(width));
            let is_name = table.columns.get(at).is_some_and(|column| column.kind == Kind::Name);
            let (before, after) = if is_name { ("", fill.as_str()) } else { (fill.as_str(), "") };
            let _ = write!(line, "{before}{word}{after}{:GAP$}", "");
        }
        line.trim_end().to_owned() + "\n"
    };
    let mut text = line(&|at| head(table, at));
    for row in &table.rows {
        text.push_str(&line(&|at| cell(table, row, at)));
    }
    text
}

/// Every row as a block of lines `HEAD  VALUE`; what is longer goes on in the next line.
fn folded(table: &Table, kept: &[usize], limit: usize) -> String {
    let heads = kept.iter().map(|&at| head(table, at).width()).max().unwrap_or(0);
    let mut text = String::new();
    for (index, row) in table.rows.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        for &at in kept {
            let word = cell(table, row, at);
            let head = head(table, at);
            let fill = " ".repeat(heads - head.width().min(heads) + GAP);
            if heads + GAP + word.width() <= limit {
                let _ = writeln!(text, "{head}{fill}{word}");
            } else {
                for line in wrapped(&format!("{head}: {word}"), limit) {
                    let _ = writeln!(text, "{line}");
                }
            }
        }
    }
    text
}

/// Breaks a line at spaces where it can; what goes on is indented.
pub(crate) fn wrapped(line: &str, limit: usize) -> Vec<String> {
    let limit = limit.max(NARROWEST);
    let mut lines = vec![String::new()];
    for (index, word) in line.split(' ').enumerate() {
        let space = usize::from(index > 0);
        let last = lines.last().map_or(0, |last| last.width());
        let fits = last + space + word.width() <= limit;
        if !fits && last > INDENT.len() {
            lines.push(INDENT.to_owned());
        } else if index > 0 {
            append(&mut lines, " ");
        }
        for piece in pieces(word) {
            let last = lines.last().map_or(0, |last| last.width());
            if last + piece.width() > limit {
                lines.push(INDENT.to_owned());
            }
            append(&mut lines, piece);
        }
    }
    lines
}

const INDENT: &str = "  ";
/// Room for the indent and two wide characters; below that nothing can be laid out.
const NARROWEST: usize = 6;

fn append(lines: &mut [String], piece: &str) {
    if let Some(last) = lines.last_mut() {
        last.push_str(piece);
    }
}

/// Characters, each with the marks that stand on it.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let mut characters = rest.char_indices().skip(1);
        let next = characters.find(|(_, character)| character.width() != Some(0));
        let (piece, after) = rest.split_at(next.map_or(rest.len(), |(at, _)| at));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::super::page::Column;
    use super::*;

    fn table(names: &[&str]) -> Table {
        let columns = vec![
            Column::name("workload"),
            Column::number("instr/record", 0),
            Column::number("bytes", 2),
            Column::number("calls", 1),
            Column::number("none", 3),
        ];
        let mut table = Table::new("t", columns);
        for name in names {
            let row = [*name, "12.50", "2400", "3", ""];
            table.rows.push(row.map(str::to_owned).into());
        }
        table
    }

    /// The names of case report-04.
    const NAMES: [&str; 4] = [
        "encode \u{b5}s",
        "\u{65e5}\u{672c}",
        "e\u{301}",
        "a_name_of_sixty_characters_that_is_longer_than_a_sane_one_is",
    ];

    fn numbers_end_at(text: &str) -> Vec<usize> {
        let end = |line: &str| line[..line.find("12.50").unwrap()].width();
        text.lines().filter(|line| line.contains("12.50")).map(end).collect()
    }

    #[test]
    fn columns_line_up_by_display_width() {
        // report-04
        assert_eq!(NAMES[3].len(), 60);
        for width in [None, Some(400), Some(80)] {
            let text = fitted(&table(&NAMES), width);
            let ends = numbers_end_at(&text);
            assert_eq!(ends.len(), 4, "{text}");
            assert!(ends.iter().all(|&end| end == ends[0]), "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out_in_order_and_named() {
        let all = fitted(&table(&["a"]), None);
        assert_eq!(
            all,
            "workload  instr/record  bytes  calls\na                12.50   2400      3\n"
        );
        let width =
            |text: &str| text.lines().map(unicode_width::UnicodeWidthStr::width).max().unwrap();
        assert_eq!(fitted(&table(&["a"]), Some(width(&all))), all);
        let fewer = fitted(&table(&["a"]), Some(width(&all) - 1));
        assert!(!fewer.lines().next().unwrap().contains("bytes"), "{fewer}");
        assert!(
            fewer.contains("calls\n") && fewer.contains("(no room here for: bytes)"),
            "{fewer}"
        );
        let fewest = fitted(&table(&["a"]), Some(28));
        assert!(fewest.starts_with("workload  instr/record\n"), "{fewest}");
        assert!(fewest.contains("(no room here for: bytes,\n  calls)"), "{fewest}");
    }

    #[test]
    fn every_width_is_kept_and_nothing_is_lost() {
        // report-04: 20 and 80 among them.
        for width in 8..200 {
            let text = fitted(&table(&NAMES), Some(width));
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {line:?}\n{text}");
            }
            let joined: String = text.split_whitespace().collect();
            for name in NAMES {
                let name: String = name.split_whitespace().collect();
                assert!(joined.contains(&name), "{width}: {name}\n{text}");
            }
        }
    }

    #[test]
    fn a_mark_is_never_parted_from_its_letter() {
        let all: Vec<&str> = pieces("ae\u{301}\u{302}\u{65e5}b").collect();
        assert_eq!(all, ["a", "e\u{301}\u{302}", "\u{65e5}", "b"]);
        let lines = wrapped(&"e\u{301}".repeat(20), 8);
        assert!(lines.iter().all(|line| !line.trim_start().starts_with('\u{301}')), "{lines:?}");
    }

    #[test]
    fn control_characters_are_written_out() {
        let text = fitted(&table(&["red\u{1b}[31m", "two\nlines"]), None);
        assert!(!text.contains('\u{1b}') && text.contains("red\\u{1b}[31m"), "{text}");
        assert_eq!(text.lines().count(), 3);
        let ends = numbers_end_at(&text);
        assert_eq!(ends[0], ends[1]);
    }
}
