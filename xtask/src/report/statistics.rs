//! What many rounds say together, and what two such sets say of each other.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// Statistics of one quantity over the rounds.
///
/// Where a number is none (NaN, infinity), the JSON has `null`, and it is read back as NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Statistics {
    pub(crate) rounds: usize,
    #[serde(with = "number")]
    pub(crate) mean: f64,
    /// Half of the 99.9 % confidence interval of the mean.
    #[serde(with = "number")]
    pub(crate) error: f64,
    /// Of the sample, with n - 1.
    #[serde(with = "number", rename = "stddev")]
    pub(crate) standard_deviation: f64,
    #[serde(with = "number")]
    pub(crate) median: f64,
    #[serde(with = "number")]
    pub(crate) min: f64,
    #[serde(with = "number")]
    pub(crate) max: f64,
    /// 95 % of the rounds are no larger; between two rounds it is interpolated.
    #[serde(with = "number", rename = "p95")]
    pub(crate) percentile_95: f64,
}

impl Statistics {
    /// Of at least one value; one value alone has no spread.
    #[expect(clippy::cast_precision_loss, reason = "a number of rounds")]
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let rounds = sorted.len();
        let mean = sorted.iter().sum::<f64>() / rounds as f64;
        let squares: f64 = sorted.iter().map(|value| (value - mean).powi(2)).sum();
        let freedom = (rounds - 1) as f64;
        let (standard_deviation, error) = if freedom == 0.0 {
            (0.0, 0.0)
        } else {
            let deviation = (squares / freedom).sqrt();
            (deviation, student_999(freedom) * deviation / (rounds as f64).sqrt())
        };
        let (median, percentile_95) = (quantile(&sorted, 0.5), quantile(&sorted, 0.95));
        Some(Self { rounds, mean, error, standard_deviation, median, min, max, percentile_95 })
    }

    /// Whether these can be statistics of anything that is counted or timed.
    pub(crate) fn check(&self) -> Result<()> {
        if self.rounds == 0 {
            bail!("it has no round");
        }
        let Self { mean, error, standard_deviation, median, min, max, percentile_95, .. } = *self;
        let all = [mean, error, standard_deviation, median, min, max, percentile_95];
        if all.iter().any(|&number| number < 0.0) {
            bail!("a number is negative");
        }
        // A NaN is smaller than nothing; sums of rounds are rounded.
        let slack = 1e-9 * max.abs();
        let between = |value: f64| value < min - slack || value > max + slack;
        if min > max || [mean, median, percentile_95].into_iter().any(between) {
            bail!("mean, median or p95 is not between min and max");
        }
        Ok(())
    }

    /// Half of the 99.9 % confidence interval of the difference of two means (Welch's).
    ///
    /// None where one of them has one round, and so no known spread.
    #[expect(clippy::cast_precision_loss, reason = "a number of rounds")]
    pub(crate) fn error_of_difference(&self, other: &Self) -> Option<f64> {
        if self.rounds < 2 || other.rounds < 2 {
            return None;
        }
        let part = |all: &Self| all.standard_deviation.powi(2) / all.rounds as f64;
        let (here, there) = (part(self), part(other));
        let variance = here + there;
        if variance == 0.0 {
            return Some(0.0);
        }
        let weight = |part: f64, all: &Self| part.powi(2) / (all.rounds - 1) as f64;
        let freedom = variance.powi(2) / (weight(here, self) + weight(there, other));
        Some(student_999(freedom) * variance.sqrt())
    }
}

/// A number that JSON may not be able to hold.
pub(crate) mod number {
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        if number.is_finite() {
            serializer.serialize_f64(*number)
        } else {
            serializer.serialize_none()
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::<f64>::deserialize(from)?.unwrap_or(f64::NAN))
    }
}

/// Interpolates between the two values around a rank.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rank among some rounds, never negative"
)]
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let rank = part * sorted.len().saturating_sub(1) as f64;
    let below = rank.floor();
    let at = |index: f64| sorted.get(index as usize).copied().unwrap_or(f64::NAN);
    let (low, high) = (at(below), at(rank.ceil()));
    low + (high - low) * (rank - below)
}

/// Student's t for 99.9 %, two-sided.
///
/// Between the rows of the table it is interpolated in 1/freedom, which is how t behaves.
fn student_999(freedom: f64) -> f64 {
    let inverse = 1.0 / freedom;
    let mut last = (f64::INFINITY, f64::NAN);
    for &(row, t) in &STUDENT_999 {
        let here = 1.0 / row;
        if inverse >= here {
            if inverse == here || !last.0.is_finite() {
                return t;
            }
            let (above, before) = last;
            return before + (t - before) * (above - inverse) / (above - here);
        }
        last = (here, t);
    }
    last.1
}

/// Degrees of freedom, and t(0.9995).
const STUDENT_999: [(f64, f64); 25] = [
    (1.0, 636.619),
    (2.0, 31.599),
    (3.0, 12.924),
    (4.0, 8.610),
    (5.0, 6.869),
    (6.0, 5.959),
    (7.0, 5.408),
    (8.0, 5.041),
    (9.0, 4.781),
    (10.0, 4.587),
    (11.0, 4.437),
    (12.0, 4.318),
    (13.0, 4.221),
    (14.0, 4.140),
    (15.0, 4.073),
    (16.0, 4.015),
    (18.0, 3.922),
    (20.0, 3.850),
    (24.0, 3.745),
    (29.0, 3.659),
    (40.0, 3.551),
    (60.0, 3.460),
    (120.0, 3.373),
    (1e6, 3.291),
    (f64::INFINITY, 3.291),
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn near(found: f64, wanted: f64, within: f64) {
        assert!((found - wanted).abs() <= within, "{found} is not {wanted}");
    }

    #[test]
    fn the_usual_numbers_of_ten_rounds() {
        let values: Vec<f64> = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(f64::from).into();
        let found = Statistics::of(&values).unwrap();
        near(found.mean, 5.5, 1e-12);
        near(found.standard_deviation, 3.027_650, 1e-6);
        // 4.781 * 3.02765 / sqrt(10)
        near(found.error, 4.577_4, 1e-3);
        near(found.median, 5.5, 1e-12);
        near(found.percentile_95, 9.55, 1e-12);
        assert_eq!((found.min, found.max, found.rounds), (1.0, 10.0, 10));
    }

    #[test]
    fn one_round_has_no_spread_and_none_has_nothing() {
        let one = Statistics::of(&[7.0]).unwrap();
        assert_eq!((one.mean, one.error, one.standard_deviation), (7.0, 0.0, 0.0));
        assert_eq!((one.median, one.percentile_95), (7.0, 7.0));
        assert_eq!(Statistics::of(&[]), None);
    }

    #[test]
    fn the_interval_of_a_difference_is_welchs() {
        let of = |values: &[i32]| {
            Statistics::of(&values.iter().copied().map(f64::from).collect::<Vec<_>>()).unwrap()
        };
        let low = of(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        let high = of(&[11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
        // Equal spreads: 18 degrees of freedom; 3.922 * sqrt(2 * 9.1667 / 10)
        near(low.error_of_difference(&high).unwrap(), 5.310_4, 1e-3);
        // Unequal ones: variances 10.667 of 4 and 2.5 of 5, 4.122 degrees of freedom, t 8.320.
        let (four, five) = (of(&[6, 10, 10, 14]), of(&[1, 2, 3, 4, 5]));
        near(four.error_of_difference(&five).unwrap(), 14.806, 0.1);
        near(five.error_of_difference(&four).unwrap(), 14.806, 0.1);
        assert_eq!(low.error_of_difference(&of(&[3])), None);
        assert_eq!(of(&[3, 3]).error_of_difference(&of(&[4, 4])), Some(0.0));
    }

    #[test]
    fn t_is_looked_up_and_interpolated() {
        near(student_999(1.0), 636.619, 1e-9);
        near(student_999(9.0), 4.781, 1e-9);
        near(student_999(17.0), 3.965, 2e-3);
        near(student_999(25.0), 3.725, 2e-3);
        near(student_999(99.0), 3.392, 2e-3);
        near(student_999(1000.0), 3.300, 2e-3);
        near(student_999(1e7), 3.291, 1e-9);
    }
}
