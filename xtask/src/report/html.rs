//! A page as HTML that needs nothing but itself: pictures and style are in it.

use std::fmt::Write as _;

use super::page::{Kind, Page, Table};
use super::plot::Picture;
use super::text::visible;

pub(crate) fn render(page: &Page, picture: &Picture) -> String {
    let title = escaped(&page.title);
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for warning in &page.warnings {
        let _ = writeln!(text, "<p class=\"warning\">{}</p>", escaped(warning));
    }
    let _ = write!(text, "<figure>\n{}</figure>\n", picture.svg);
    for table in &page.tables {
        text += &rows(table);
    }
    text += "<h2>Environment</h2>\n<dl>\n";
    for (name, value) in &page.facts {
        let _ = writeln!(text, "<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value));
    }
    text += "</dl>\n";
    if !page.notes.is_empty() {
        text += "<h2>Notes</h2>\n<ul>\n";
        for note in &page.notes {
            let _ = writeln!(text, "<li>{}</li>", escaped(note));
        }
        text += "</ul>\n";
    }
    text + "</body>\n</html>\n"
}

fn rows(table: &Table) -> String {
    let filled = table.filled();
    let class = |at: usize| match table.columns.get(at).map(|column| column.kind) {
        Some(Kind::Number) => " class=\"number\"",
        _ => "",
    };
    let mut text = format!("<h2>{}</h2>\n<div class=\"wide\"><table>\n<tr>", escaped(&table.title));
    for &at in &filled {
        let head = table.columns.get(at).map_or("", |column| &column.head);
        let _ = write!(text, "<th{}>{}</th>", class(at), escaped(head));
    }
    text += "</tr>\n";
    for row in &table.rows {
        text += "<tr>";
        for &at in &filled {
            let cell = row.get(at).map_or("", String::as_str);
            let _ = write!(text, "<td{}>{}</td>", class(at), escaped(cell));
        }
        text += "</tr>\n";
    }
    text + "</table></div>\n"
}

fn escaped(text: &str) -> String {
    let text = visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

const STYLE: &str = "\
body { font: 15px/1.45 system-ui, Helvetica, Arial, sans-serif; color: #1a1a1a; background: #fff;
  margin: 2rem auto; max-width: 1200px; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
figure { margin: 0; overflow-x: auto; } svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 0.2rem 0.7rem; text-align: left; border-bottom: 1px solid #e3e3e3; }
th { border-bottom: 2px solid #999; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem; font-size: 13px; }
dt { color: #555; } dd { margin: 0; overflow-wrap: anywhere; }
.warning { color: #a31515; font-weight: bold; }
";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::super::document::Label;
    use super::super::plot;
    use super::super::sample::document;
    use super::*;

    #[test]
    fn the_page_is_whole_and_loads_nothing() {
        let document = document(Label::Host, &[("<script>x</script>", 5.0)]);
        let picture = plot::of_one(&document, None).unwrap();
        let page = render(&Page::of(&document), &picture);
        assert!(page.contains("<svg ") && page.ends_with("</html>\n"), "{page}");
        assert!(!page.contains("<script") && page.contains("&lt;script&gt;"), "{page}");
        let without_namespace = page.replace("http://www.w3.org/2000/svg", "");
        for word in ["http", "src=", "<link", "url("] {
            assert!(!without_namespace.contains(word), "{word}");
        }
    }
}
