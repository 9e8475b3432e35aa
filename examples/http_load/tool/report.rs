//! The measurement as JSON, for `cargo xtask report`: see docs/reports.md.

use std::time::{Duration, SystemTime};

use onewrite_boards::{Environment, environment};
use serde_json::{Map, Value as Json, json};

use super::statistics::{Sample, Spread};

/// The runs so far.
#[derive(Debug)]
pub(crate) struct Report {
    environment: Environment,
    results: Vec<Json>,
    notes: Vec<String>,
}

impl Report {
    /// Reads the facts of the machine, of before the run.
    pub(crate) fn begin() -> Self {
        Self { environment: environment(), results: Vec::new(), notes: Vec::new() }
    }

    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Adds a path's rows, of a run called `workload`.
    pub(crate) fn add(&mut self, workload: &str, path: &str, sample: &Sample) {
        let answered = u64::try_from(sample.latencies.len()).unwrap_or(0).max(1);
        let bytes = sample.bytes / answered;
        let answered = |slice: &&super::statistics::Slice| slice.requests != 0;
        let slices = || sample.slices.iter().filter(answered);
        let rate = slices().map(|slice| per_request(slice.elapsed, slice.requests));
        self.row(workload.to_owned(), path, bytes, Spread::of(rate));
        let latencies = sample.latencies.iter().map(|latency| latency.as_secs_f64() * 1e9);
        self.row(format!("{workload} latency"), path, bytes, Spread::of(latencies));
        let cpu = slices().map(|slice| Some(per_request(slice.server_cpu?, slice.requests)));
        if let Some(cpu) = cpu.collect::<Option<Vec<f64>>>() {
            self.row(format!("{workload} server CPU"), path, bytes, Spread::of(cpu));
        }
    }

    fn row(&mut self, workload: String, shape: &str, bytes: u64, spread: Option<Spread>) {
        let Some(spread) = spread else { return };
        self.results.push(json!({
            "workload": workload,
            "shape": shape,
            "bytes": bytes,
            "records": 1,
            "ns": {
                "rounds": spread.rounds,
                "mean": spread.mean,
                "error": spread.error,
                "stddev": spread.standard_deviation,
                "median": spread.median,
                "min": spread.min,
                "max": spread.max,
                "p95": spread.p95,
            },
        }));
    }

    /// The whole document.
    pub(crate) fn json(&self) -> String {
        let facts = |environment: &Environment| -> Json {
            let facts = environment.facts().iter();
            let pairs = facts.map(|fact| (fact.key().to_owned(), fact.value().into()));
            Json::Object(pairs.collect::<Map<_, _>>())
        };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let document = json!({
            "schema": "onewrite-throughput-2",
            "label": onewrite_boards::label().as_str(),
            "measured_at": timestamp(now),
            "environment": facts(&self.environment),
            "environment_after": facts(&environment()),
            "unfit": [],
            "results": self.results,
            "breakdown": [],
            "notes": self.notes,
        });
        format!("{document:#}\n")
    }
}

/// Nanoseconds a request.
fn per_request(time: Duration, requests: u32) -> f64 {
    time.as_secs_f64() * 1e9 / f64::from(requests)
}

/// RFC 3339, in UTC, to the second.
fn timestamp(since_1970: Duration) -> String {
    let seconds = since_1970.as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days from the first of March of year 0, whose years end with the leap day.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) =
        (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, wanted) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_796_083_200, "2026-12-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(Duration::from_secs(seconds)), wanted);
        }
    }
}
