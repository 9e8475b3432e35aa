//! A page as Markdown, with tables in GitHub's form.

use std::fmt::Write as _;

use super::page::{Kind, Page, Table};
use super::text::visible;

pub(crate) fn render(page: &Page) -> String {
    let mut text = format!("# {}\n\n", escaped(&page.title));
    for (name, value) in &page.facts {
        let _ = writeln!(text, "- {}: {}", escaped(name), escaped(value));
    }
    for warning in &page.warnings {
        let _ = write!(text, "\n> **Warning:** {}\n", escaped(warning));
    }
    for table in &page.tables {
        let _ = write!(text, "\n## {}\n\n{}", escaped(&table.title), rows(table));
    }
    if !page.notes.is_empty() {
        text.push('\n');
    }
    for note in &page.notes {
        let _ = writeln!(text, "- {}", escaped(note));
    }
    text
}

fn rows(table: &Table) -> String {
    let filled = table.filled();
    let line = |word: &dyn Fn(usize) -> String| {
        let words: Vec<String> = filled.iter().map(|&at| word(at)).collect();
        format!("| {} |\n", words.join(" | "))
    };
    let column = |at: usize| table.columns.get(at);
    let mut text = line(&|at| escaped(column(at).map_or("", |column| &column.head)));
    text += &line(&|at| {
        let is_number = column(at).is_some_and(|column| column.kind == Kind::Number);
        if is_number { "---:" } else { "---" }.to_owned()
    });
    for row in &table.rows {
        text += &line(&|at| escaped(row.get(at).map_or("", String::as_str)));
    }
    text
}

/// What Markdown or HTML in it would take for its own is escaped.
fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for character in visible(text).chars() {
        match character {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            // Underscores within a word stand for themselves.
            '|' | '\\' | '`' | '*' | '[' | ']' | '#' => shown.extend(['\\', character]),
            other => shown.push(other),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::super::document::Label;
    use super::super::sample::document;
    use super::*;

    #[test]
    fn a_name_cannot_break_the_table() {
        let document = document(Label::Host, &[("a|b", 5.0), ("<i>c</i>\n", 5.0)]);
        let text = render(&Page::of(&document));
        assert!(text.contains("| table | a\\|b | 200 |"), "{text}");
        assert!(text.contains("&lt;i&gt;c&lt;/i&gt;\\\\n |"), "{text}");
        let table: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).collect();
        assert!(table.contains(&"| --- | --- | ---: | ---: |"), "{text}");
        assert_eq!(table.len(), 8, "{text}");
    }
}
