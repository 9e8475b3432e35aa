//! What a handful of samples say.

use serde::Serialize;

/// Samples of one quantity, in the order of the rounds, and what they say.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) mean: f64,
    /// Half of the 99.9 % confidence interval of the mean.
    pub(crate) error: f64,
    pub(crate) deviation: f64,
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) samples: Vec<f64>,
}

impl Summary {
    /// Of at least one sample.
    pub(crate) fn of(samples: Vec<f64>) -> Option<Self> {
        let mut sorted = samples.clone();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let count = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / count;
        let squares = sorted.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>();
        let freedom = sorted.len() - 1;
        let deviation = if freedom > 0 { (squares / freedom as f64).sqrt() } else { 0.0 };
        let error = student_999(freedom) * deviation / count.sqrt();
        Some(Self { mean, error, deviation, median: median(&sorted), min, max, samples })
    }

    /// This quantity over another one, round by round: what disturbs a round disturbs both.
    pub(crate) fn over(&self, other: &Self) -> Option<Self> {
        let pairs = self.samples.iter().zip(&other.samples);
        Self::of(pairs.map(|(this, other)| this / other).collect())
    }
}

fn median(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    let upper = sorted.get(half).copied().unwrap_or(f64::NAN);
    let lower = half.checked_sub(1).and_then(|at| sorted.get(at)).copied();
    match lower {
        Some(lower) if sorted.len().is_multiple_of(2) => f64::midpoint(lower, upper),
        _ => upper,
    }
}

/// Student's t for 99.9 %, two-sided; from 13 degrees on its series, which is within 1 %.
fn student_999(freedom: usize) -> f64 {
    const FEW: [f64; 13] = [
        0.0, 636.619, 31.599, 12.924, 8.610, 6.869, 5.959, 5.408, 5.041, 4.781, 4.587, 4.437, 4.318,
    ];
    let series = |freedom: f64| 3.2905 + 9.729 / freedom + 26.13 / (freedom * freedom);
    FEW.get(freedom).copied().unwrap_or_else(|| series(freedom as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_samples_are_summed_up() {
        let summary = Summary::of(vec![5.0, 1.0, 2.0, 4.0, 3.0]).unwrap();
        assert_eq!((summary.mean, summary.median, summary.min, summary.max), (3.0, 3.0, 1.0, 5.0));
        assert!((summary.deviation - 2.5_f64.sqrt()).abs() < 1e-12);
        assert!((summary.error - 8.610 * (2.5_f64 / 5.0).sqrt()).abs() < 1e-9);
        assert_eq!(summary.samples, [5.0, 1.0, 2.0, 4.0, 3.0]);
    }

    #[test]
    fn an_even_number_has_its_median_in_the_middle() {
        assert_eq!(Summary::of(vec![4.0, 1.0, 2.0, 9.0]).unwrap().median, 3.0);
        assert_eq!(Summary::of(vec![4.0]).unwrap().median, 4.0);
        assert!(Summary::of(Vec::new()).is_none());
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        let this = Summary::of(vec![10.0, 40.0, 30.0]).unwrap();
        let other = Summary::of(vec![1.0, 2.0, 1.0]).unwrap();
        assert_eq!(this.over(&other).unwrap().samples, [10.0, 20.0, 30.0]);
    }

    #[test]
    fn the_series_meets_the_table() {
        for (freedom, expected) in [(12, 4.318), (13, 4.221), (20, 3.850), (30, 3.646)] {
            assert!((student_999(freedom) / expected - 1.0).abs() < 0.01, "{freedom}");
        }
    }
}
