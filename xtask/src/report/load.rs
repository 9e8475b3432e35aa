//! `cargo xtask check-load`: the result of a load generator, read whatever its locale, and checked
//! against itself.
//!
//! What is known of such a result is what `CHttp` prints: mean, standard deviation and error of the
//! latency, requests a second, throughput. Where the generator ran under a locale with a decimal
//! comma, some numbers have one and some have a point.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::output;
use crate::named;

/// What to read.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Reads entries such as `Mean: 20,794 ms`, `| Req/Sec | 1,99E+03 |` or `20 clients`, one a line or
separated by `;` or `, `. One comma or point in a number is its decimal mark.

Exit code: 0 everything fits, 1 something does not or cannot be read, 2 wrong usage.")]
pub(crate) struct Arguments {
    /// The text that the load generator printed.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Bytes of a response without its head: then throughput is checked as well.
    #[arg(long, value_name = "BYTES")]
    body: Option<u32>,
}

/// The command itself.
pub(crate) fn command(arguments: &Arguments) -> Result<()> {
    let file = &arguments.file;
    let text = named::text(file).with_context(|| format!("cannot read {}", file.display()))?;
    let load = Load::parse(&text).with_context(|| format!("{}", file.display()))?;
    let (lines, failed) = load.checks(arguments.body);
    output::print(&(load.text() + &lines))?;
    match failed {
        0 => Ok(()),
        _ => bail!("{failed} checks do not fit: do not use these numbers as they are"),
    }
}

/// What was said, in seconds, requests a second, and bytes a second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Load {
    mean: Option<f64>,
    standard_deviation: Option<f64>,
    error: Option<f64>,
    rate: Option<f64>,
    throughput: Option<f64>,
    requests: Option<f64>,
    clients: Option<f64>,
}

impl Load {
    fn parse(text: &str) -> Result<Self> {
        let mut load = Self::default();
        let entries = text.lines().flat_map(|line| line.split(';'));
        // A comma that separates has a space behind it, one within a number has none.
        for entry in entries.flat_map(|entry| entry.split(", ")) {
            load.read(entry).with_context(|| format!("{:?}", entry.trim()))?;
        }
        if load == Self::default() {
            bail!("no result of a load generator: none of {NAMES}");
        }
        Ok(load)
    }

    /// Reads one entry; what has another name is somebody else's.
    fn read(&mut self, entry: &str) -> Result<()> {
        let entry = entry.replace(['|', ':', '=', '`', '*'], " ");
        let words: Vec<&str> = entry.split_whitespace().collect();
        // `Mean 20,794 ms` and `20 clients`
        let (name, rest) = match words.as_slice() {
            [number, name, ..] if number.starts_with(|c: char| c.is_ascii_digit()) => {
                (*name, std::slice::from_ref(number))
            }
            [name, rest @ ..] => (*name, rest),
            [] => return Ok(()),
        };
        let (field, scale): (&mut Option<f64>, Factor) = match name.to_ascii_lowercase().as_str() {
            "mean" => (&mut self.mean, seconds),
            "stddev" => (&mut self.standard_deviation, seconds),
            "error" => (&mut self.error, seconds),
            "req/sec" => (&mut self.rate, unitless),
            "throughput" => (&mut self.throughput, bytes_a_second),
            "requests" | "requestcount" => (&mut self.requests, unitless),
            "clients" => (&mut self.clients, unitless),
            _ => return Ok(()),
        };
        let (&number, unit) = rest.split_first().context("a name without a number")?;
        // A unit may stand at its number: `20,794ms`.
        let is_number = number.starts_with(|c: char| c.is_ascii_digit());
        let is_unit = |c: char| is_number && c.is_alphabetic() && !"eE".contains(c);
        let at = number.find(is_unit);
        let (number, attached) = number.split_at(at.unwrap_or(number.len()));
        let unit = if attached.is_empty() { unit.first().copied() } else { Some(attached) };
        let unit = unit.unwrap_or_default();
        let factor = scale(unit).with_context(|| format!("unit {unit:?} is not known here"))?;
        if field.replace(decimal(number)? * factor).is_some() {
            bail!("it stands there twice");
        }
        Ok(())
    }

    /// The same with points, in one unit for a kind.
    fn text(&self) -> String {
        let mut text = String::new();
        for (name, value, factor, unit) in [
            ("requests", self.requests, 1.0, ""),
            ("clients", self.clients, 1.0, ""),
            ("mean", self.mean, 1e3, "ms"),
            ("stddev", self.standard_deviation, 1e3, "ms"),
            ("error", self.error, 1e6, "us"),
            ("req/sec", self.rate, 1.0, ""),
            ("throughput", self.throughput, 1e-6, "MB/s"),
        ] {
            if let Some(value) = value {
                let line = format!("{name}: {} {unit}", rounded(value * factor));
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        text
    }

    /// A line for each check that can be made, and how many of them fail.
    fn checks(&self, body: Option<u32>) -> (String, usize) {
        let (mut text, mut failed) = (String::new(), 0);
        let mut check = |fits: bool, line: String| {
            failed += usize::from(!fits);
            let _ = writeln!(text, "{:<8}  {line}", if fits { "ok" } else { "DIFFERS" });
        };
        if let (Some(error), Some(deviation), Some(requests)) =
            (self.error, self.standard_deviation, self.requests)
        {
            let wanted = deviation / requests.sqrt();
            check(
                near(error, wanted, 0.01),
                format!(
                    "error {} us; stddev / sqrt(requests) = {} us",
                    rounded(error * 1e6),
                    rounded(wanted * 1e6)
                ),
            );
        }
        if let (Some(rate), Some(clients), Some(mean)) = (self.rate, self.clients, self.mean) {
            let wanted = clients / mean;
            check(
                near(rate, wanted, 0.05),
                format!("req/sec {}; clients / mean = {} a second", rounded(rate), rounded(wanted)),
            );
        }
        if let (Some(throughput), Some(rate), Some(body)) = (self.throughput, self.rate, body) {
            let bytes = throughput / rate;
            let line = format!("throughput / req/sec = {} bytes a response", bytes.floor());
            if fits(bytes, body) {
                check(true, format!("{line}, body and head"));
            } else {
                let slip = SLIPS.iter().find(|(factor, _)| fits(bytes * factor, body));
                let hint = slip.map_or_else(String::new, |(factor, hint)| {
                    format!("; a unit slip: {:.0} bytes {hint}", bytes * factor)
                });
                check(false, format!("{line}, for a body of {body} bytes{hint}"));
            }
        }
        (text, failed)
    }
}

/// What a unit stands for, where it is one of the kind.
type Factor = fn(&str) -> Option<f64>;

/// The entries that are read.
const NAMES: &str = "mean, stddev, error, req/sec, throughput, requests, clients";

/// What the unit of a throughput may have been mistaken for.
const SLIPS: [(f64, &str); 4] = [
    (1e-3, "would fit if the unit were 1000 times smaller (KB/s for MB/s)"),
    (1e-6, "would fit if the unit were 10^6 times smaller (B/s for MB/s)"),
    (1e3, "would fit if the unit were 1000 times larger (MB/s for KB/s)"),
    (0.125, "would fit if it were bits (Mbit/s for MB/s)"),
];

/// The largest head of a response that we take for one, in bytes.
const LARGEST_HEAD: f64 = 1024.0;

fn fits(bytes: f64, body: u32) -> bool {
    (f64::from(body)..=f64::from(body) + LARGEST_HEAD).contains(&bytes)
}

fn near(found: f64, wanted: f64, part: f64) -> bool {
    (found - wanted).abs() <= wanted.abs() * part
}

/// Reads a number with one decimal mark, comma or point; grouped digits are refused, not guessed.
fn decimal(word: &str) -> Result<f64> {
    if word.matches([',', '.']).count() > 1 {
        bail!("{word:?} has more than one comma or point: which is the decimal mark is not known");
    }
    let digits = word.replace(',', ".");
    let plain = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    match digits.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 && digits.chars().all(plain) => {
            Ok(number)
        }
        _ => bail!("{word:?} is no number"),
    }
}

/// With a point and six digits.
fn rounded(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn seconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "s" => 1.0,
        "ms" => 1e-3,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    })
}

fn bytes_a_second(unit: &str) -> Option<f64> {
    Some(match unit {
        "B/s" => 1.0,
        "KB/s" | "kB/s" => 1e3,
        "MB/s" => 1e6,
        "GB/s" => 1e9,
        _ => return None,
    })
}

fn unitless(unit: &str) -> Option<f64> {
    unit.is_empty().then_some(1.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// The table of case report-01.
    const SEED: &str = "| Mean: | 20,794 ms |\n| StdDev: | 13,028 ms |\n| Error: | 130,284 us |\n\
        | Req/Sec: | 960 |\n| Throughput: | 109.213 MB/s |\n10000 requests, 20 clients\n";

    fn near_to(found: Option<f64>, wanted: f64) {
        assert!(near(found.unwrap(), wanted, 1e-12), "{found:?} is not {wanted}");
    }

    #[test]
    fn commas_and_points_are_decimal_marks() {
        // report-01
        let load = Load::parse(SEED).unwrap();
        near_to(load.mean, 20.794e-3);
        near_to(load.standard_deviation, 13.028e-3);
        near_to(load.error, 130.284e-6);
        near_to(load.throughput, 109.213e6);
        assert_eq!((load.requests, load.clients), (Some(10_000.0), Some(20.0)));
        assert_eq!(Load::parse("Req/Sec 1,99E+03").unwrap().rate, Some(1990.0));
        let line = "Mean 20,794 ms, StdDev 13,028 ms, Error 130,284 us, Req/Sec 960, Throughput \
            109.213 MB/s, 10000 requests, 20 clients";
        assert_eq!(Load::parse(line).unwrap(), load);
        assert!(load.text().contains("mean: 20.794 ms\n"), "{}", load.text());
        assert!(load.text().contains("error: 130.284 us\n"), "{}", load.text());
    }

    #[test]
    fn the_columns_are_checked_against_each_other() {
        // report-01: two fit, and the throughput is a slip of its unit.
        let load = Load::parse(SEED).unwrap();
        let (lines, failed) = load.checks(Some(11));
        assert_eq!(failed, 1, "{lines}");
        assert!(lines.contains("ok        error 130.284 us; stddev / sqrt(requests) = 130.28 us"));
        assert!(lines.contains("ok        req/sec 960; clients / mean = 961.816 a second"));
        assert!(
            lines.contains("DIFFERS   throughput / req/sec = 113763 bytes a response")
                && lines.contains("a unit slip: 114 bytes would fit if the unit were 1000 times"),
            "{lines}"
        );
        assert_eq!(load.checks(Some(113_700)).1, 0);
        // Read as thousands, no column fits another.
        let thousands = Load { mean: Some(20.794), error: Some(0.130_284), ..load };
        assert_eq!(thousands.checks(None).1, 2);
    }

    #[test]
    fn what_is_not_sure_is_refused() {
        for (text, why) in [
            ("Mean 1,234,567 ms", "more than one comma or point"),
            ("Mean 1.234,5 ms", "more than one comma or point"),
            ("Mean 20,794", "unit \"\" is not known"),
            ("Mean 20,794 parsec", "unit \"parsec\""),
            ("Mean NaN ms", "is no number"),
            ("Mean inf ms", "is no number"),
            ("Mean -1 ms", "is no number"),
            ("Mean", "a name without a number"),
            ("Mean 1 ms\nMean 2 ms", "twice"),
            ("hello", "no result of a load generator"),
        ] {
            let error = format!("{:#}", Load::parse(text).unwrap_err());
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
