//! The table of a run, as `CHttp` prints it, with a column for each path and their ratio.

use std::fmt::Write as _;

use super::statistics::Columns;

/// One line: its name, its unit, and the number of a path.
type Line = (&'static str, Unit, fn(&Columns) -> Option<f64>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Seconds,
    BytesASecond,
    Requests,
}

const LINES: [Line; 11] = [
    ("Mean", Unit::Seconds, |columns| Some(columns.mean)),
    ("StdDev", Unit::Seconds, |columns| Some(columns.standard_deviation)),
    ("Error", Unit::Seconds, |columns| Some(columns.error)),
    ("Median", Unit::Seconds, |columns| Some(columns.median)),
    ("Min", Unit::Seconds, |columns| Some(columns.min)),
    ("Max", Unit::Seconds, |columns| Some(columns.max)),
    ("95th", Unit::Seconds, |columns| Some(columns.p95)),
    ("Throughput", Unit::BytesASecond, |columns| Some(columns.throughput)),
    ("Req/Sec", Unit::Requests, |columns| Some(columns.rate)),
    ("CHttp's throughput", Unit::BytesASecond, |columns| Some(columns.chttp_throughput)),
    ("Server CPU", Unit::Seconds, |columns| columns.server_cpu),
];

/// The table; the ratio is that of the first path to the second.
pub(crate) fn table(title: &str, paths: &[(String, Columns)]) -> String {
    let mut rows = vec![vec![title.to_owned()], vec![String::new()]];
    if let Some(heads) = rows.last_mut() {
        heads.extend(paths.iter().map(|(path, _)| path.clone()));
        if paths.len() == 2 {
            heads.push("ratio".to_owned());
        }
    }
    for (name, unit, value) in LINES {
        let values: Option<Vec<f64>> = paths.iter().map(|(_, columns)| value(columns)).collect();
        let Some(values) = values else { continue };
        let mut row = vec![name.to_owned()];
        row.extend(values.iter().map(|value| shown(*value, unit)));
        if let [first, second] = values.as_slice() {
            row.push(format!("{:.2}", first / second));
        }
        rows.push(row);
    }
    lines(&rows)
}

/// Columns under each other; a row of one cell is a title.
fn lines(rows: &[Vec<String>]) -> String {
    let cells = rows.iter().filter(|row| row.len() > 1);
    let columns = cells.clone().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|at| cells.clone().filter_map(|row| row.get(at)).map(String::len).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            match (row.len(), at) {
                (1, _) => line += cell,
                (_, 0) => write!(line, "{cell:<width$}").unwrap_or_default(),
                _ => write!(line, "  {cell:>width$}").unwrap_or_default(),
            }
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Three digits behind the point, in the unit that leaves at least one in front of it.
fn shown(value: f64, unit: Unit) -> String {
    let units: &[(f64, &str)] = match unit {
        Unit::Seconds => &[(1.0, "s"), (1e-3, "ms"), (1e-6, "us")],
        Unit::BytesASecond => &[(1e6, "MB/s"), (1e3, "KB/s"), (1.0, "B/s")],
        Unit::Requests => return format!("{value:.1}"),
    };
    let fitting = units.iter().find(|(factor, _)| value >= *factor).or(units.last());
    fitting.map_or_else(String::new, |(factor, name)| format!("{:.3} {name}", value / factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: Columns = Columns {
        mean: 0.020_794,
        standard_deviation: 0.013_028,
        error: 0.000_130_28,
        median: 0.02,
        min: 0.003_638,
        max: 1.25,
        p95: 0.05,
        throughput: 228_480.0,
        chttp_throughput: 114_520_000.0,
        rate: 960.0,
        server_cpu: None,
    };

    #[test]
    fn columns_line_up_and_what_is_not_known_is_left_out() {
        let half = Columns { mean: 0.010_397, ..COLUMNS };
        let paths = [("/".to_owned(), COLUMNS), ("/data".to_owned(), half)];
        let text = table("http/2, 20 clients", &paths);
        let wanted = "\
http/2, 20 clients
                               /         /data  ratio
Mean                   20.794 ms     10.397 ms   2.00
StdDev                 13.028 ms     13.028 ms   1.00
Error                 130.280 us    130.280 us   1.00
";
        assert!(text.starts_with(wanted), "{text}");
        assert!(text.contains("CHttp's throughput  114.520 MB/s  114.520 MB/s   1.00\n"), "{text}");
        assert!(!text.contains("Server"), "{text}");
    }

    #[test]
    fn one_path_has_no_ratio() {
        let text = table("t", &[("/".to_owned(), COLUMNS)]);
        assert!(!text.contains("ratio"), "{text}");
    }
}
