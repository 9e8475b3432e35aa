//! The columns of a table, as `CHttp` computes them.

use std::time::Duration;

/// What the requests for one path came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// From just before a request is sent to the end of its body.
    pub(crate) latencies: Vec<Duration>,
    /// Time, requests, and the server's time on the processor of each slice.
    pub(crate) slices: Vec<Slice>,
    /// Bytes that came from the sockets.
    pub(crate) bytes: u64,
}

/// One slice of a path's requests.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slice {
    /// Between the first request sent and the last one answered.
    pub(crate) elapsed: Duration,
    /// Requests that were answered rightly.
    pub(crate) requests: u32,
    /// What the server's process took on the processor, where it could be read.
    pub(crate) server_cpu: Option<Duration>,
}

/// The columns, in seconds, requests and bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Columns {
    pub(crate) mean: f64,
    pub(crate) standard_deviation: f64,
    pub(crate) error: f64,
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) p95: f64,
    /// Bytes a second.
    pub(crate) throughput: f64,
    /// All bytes by the mean latency of one request, which `CHttp` calls throughput.
    pub(crate) chttp_throughput: f64,
    /// Requests a second.
    pub(crate) rate: f64,
    /// Seconds a request.
    pub(crate) server_cpu: Option<f64>,
}

impl Sample {
    /// None where nothing was answered.
    pub(crate) fn columns(&self) -> Option<Columns> {
        let mut sorted: Vec<f64> = self.latencies.iter().map(Duration::as_secs_f64).collect();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let count = number(sorted.len());
        let mean = sorted.iter().sum::<f64>() / count;
        let squares = sorted.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let standard_deviation = (squares / count).sqrt();
        let at = |index: usize| sorted.get(index).copied().unwrap_or(max);
        let elapsed = self.elapsed().as_secs_f64();
        let bytes = number(usize::try_from(self.bytes).unwrap_or(usize::MAX));
        Some(Columns {
            mean,
            standard_deviation,
            error: standard_deviation / count.sqrt(),
            median: at(sorted.len() / 2),
            min,
            max,
            p95: at((sorted.len() - 1) * 95 / 100),
            throughput: bytes / elapsed,
            chttp_throughput: bytes / mean,
            rate: count / elapsed,
            server_cpu: self.server_cpu().map(|all| all.as_secs_f64() / count),
        })
    }

    /// The slices' time together.
    pub(crate) fn elapsed(&self) -> Duration {
        self.slices.iter().map(|slice| slice.elapsed).sum()
    }

    fn server_cpu(&self) -> Option<Duration> {
        self.slices.iter().map(|slice| slice.server_cpu).sum()
    }
}

/// Statistics as `docs/reports.md` has them, with another error than the table's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) rounds: usize,
    pub(crate) mean: f64,
    /// Half of the 99.9 % confidence interval of the mean.
    pub(crate) error: Option<f64>,
    /// Of a sample: n - 1.
    pub(crate) standard_deviation: Option<f64>,
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) p95: f64,
}

impl Spread {
    /// None of no values.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let count = number(sorted.len());
        // Rounding must not carry the mean past its own values.
        let mean = (sorted.iter().sum::<f64>() / count).clamp(min, max);
        let squares = sorted.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let standard_deviation = (sorted.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
        let error = standard_deviation.map(|all| student(sorted.len() - 1) * all / count.sqrt());
        let (median, p95) = (quantile(&sorted, 0.5), quantile(&sorted, 0.95));
        Some(Self { rounds: sorted.len(), mean, error, standard_deviation, median, min, max, p95 })
    }
}

/// Interpolated between neighbours.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * number(sorted.len() - 1);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is an index")]
    let below = place as usize;
    let at = |index: usize| sorted.get(index).copied();
    match (at(below), at(below + 1)) {
        (Some(low), Some(high)) => low + (high - low) * (place - place.floor()),
        (Some(last), None) => last,
        (None, _) => f64::NAN,
    }
}

/// Student's t for 99.9 % on both sides: a bound from above between the numbers of the table.
fn student(freedom: usize) -> f64 {
    const TABLE: [(usize, f64); 12] = [
        (1, 636.619),
        (2, 31.599),
        (3, 12.924),
        (4, 8.610),
        (5, 6.869),
        (7, 5.408),
        (10, 4.587),
        (15, 4.073),
        (20, 3.850),
        (40, 3.551),
        (120, 3.373),
        (1_000, 3.300),
    ];
    let known = TABLE.iter().rev().find(|(known, _)| *known <= freedom);
    known.map_or(f64::INFINITY, |(_, t)| *t)
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
const fn number(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    #![allow(clippy::float_cmp, reason = "the numbers are small and whole")]

    use super::*;

    #[test]
    fn columns_are_those_of_chttp() {
        let latencies: Vec<Duration> = (1..=4).rev().map(Duration::from_secs).collect();
        let slice = Slice {
            elapsed: Duration::from_secs(4),
            requests: 2,
            server_cpu: Some(Duration::from_secs(3)),
        };
        let sample = Sample { latencies, slices: vec![slice; 2], bytes: 80 };
        let columns = sample.columns().unwrap();
        assert_eq!((columns.mean, columns.min, columns.max), (2.5, 1.0, 4.0));
        // sorted[n / 2] and sorted[(n - 1) * 0.95]
        assert_eq!((columns.median, columns.p95), (3.0, 3.0));
        assert_eq!(columns.standard_deviation, 1.25_f64.sqrt());
        assert_eq!(columns.error, 1.25_f64.sqrt() / 2.0);
        assert_eq!((columns.rate, columns.throughput, columns.chttp_throughput), (0.5, 10.0, 32.0));
        assert_eq!(columns.server_cpu, Some(1.5));
        assert!(Sample::default().columns().is_none());
    }

    #[test]
    fn one_slice_without_a_reading_leaves_no_sum() {
        let known = Slice { server_cpu: Some(Duration::ZERO), ..Slice::default() };
        let latencies = vec![Duration::from_secs(1)];
        let sample = Sample { latencies, slices: vec![known, Slice::default()], bytes: 0 };
        assert_eq!(sample.columns().unwrap().server_cpu, None);
    }

    #[test]
    fn a_spread_has_an_interval_only_of_several_values() {
        let one = Spread::of([2.0]).unwrap();
        assert_eq!((one.mean, one.median, one.p95, one.error), (2.0, 2.0, 2.0, None));
        let two = Spread::of([3.0, 1.0]).unwrap();
        assert_eq!((two.mean, two.median, two.rounds), (2.0, 2.0, 2));
        assert_eq!(two.standard_deviation, Some(2.0_f64.sqrt()));
        assert_eq!(two.error, Some(636.619));
    }
}
