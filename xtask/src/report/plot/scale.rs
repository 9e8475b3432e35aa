//! An axis: from values to places on it, with round numbers to write beside it.

use clap::ValueEnum;

/// How an axis grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Growth {
    /// In equal steps, from zero.
    Linear,
    /// In equal factors; zero has no place.
    Log,
}

/// An axis that has room for some values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    growth: Growth,
    /// In the units of `along`: values, or their logarithms.
    low: f64,
    high: f64,
    /// Where a number is written.
    pub(crate) ticks: Vec<f64>,
}

/// Larger numbers are drawn nowhere: no axis could be computed for them.
const LARGEST: f64 = 1e100;

impl Scale {
    /// Room for all of these that can be drawn; without any it is still an axis.
    pub(crate) fn of(growth: Growth, values: &[f64]) -> Self {
        let drawn = values.iter().copied().filter(|&value| growth.can_draw(value));
        let smallest = drawn.clone().fold(f64::INFINITY, f64::min);
        let largest = drawn.fold(0.0, f64::max);
        match growth {
            Growth::Linear => Self::linear(largest),
            Growth::Log if largest > 0.0 => Self::log(smallest, largest),
            Growth::Log => Self::log(1.0, 10.0),
        }
    }

    fn linear(largest: f64) -> Self {
        // Where everything is zero, the axis is there all the same.
        let largest = if largest > 0.0 { largest } else { 1.0 };
        let step = round_step(largest / STEPS);
        let count = (largest / step - SLACK).ceil().max(1.0);
        let mut ticks = Vec::new();
        let mut at = 0.0;
        while at <= count {
            ticks.push(at * step);
            at += 1.0;
        }
        Self { growth: Growth::Linear, low: 0.0, high: count * step, ticks }
    }

    fn log(smallest: f64, largest: f64) -> Self {
        let low = (smallest.log10() + SLACK).floor();
        let high = (largest.log10() - SLACK).ceil().max(low + 1.0);
        let decades = high - low;
        // A few decades have room for 2 and 5 between them, many not even for each of them.
        let between: &[f64] = if decades <= 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let stride = (decades / 8.0).ceil().max(1.0);
        let mut ticks = Vec::new();
        let mut decade = low;
        while decade <= high {
            let power = 10f64.powf(decade);
            ticks.extend(between.iter().map(|factor| factor * power));
            decade += stride;
        }
        ticks.retain(|tick| tick.log10() <= high + SLACK);
        Self { growth: Growth::Log, low, high, ticks }
    }

    /// From 0 at the beginning of the axis to 1 at its end; None where it has no place.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        if !self.growth.can_draw(value) {
            return None;
        }
        let along = match self.growth {
            Growth::Linear => value,
            Growth::Log => value.log10(),
        };
        Some((along - self.low) / (self.high - self.low))
    }
}

impl Growth {
    /// Whether such a value has a place on any axis of this kind.
    pub(crate) fn can_draw(self, value: f64) -> bool {
        let positive = match self {
            Self::Linear => value >= 0.0,
            Self::Log => value >= 1.0 / LARGEST,
        };
        positive && value <= LARGEST
    }

    /// Values that differ by much more than this factor are not told apart in equal steps.
    pub(crate) fn fitting(values: &[f64]) -> Self {
        let positive = values.iter().copied().filter(|&value| Self::Log.can_draw(value));
        let smallest = positive.clone().fold(f64::INFINITY, f64::min);
        let largest = positive.fold(0.0, f64::max);
        let has_zero = values.contains(&0.0);
        if largest > smallest * WIDE && !has_zero { Self::Log } else { Self::Linear }
    }
}

/// About so many steps make an axis.
const STEPS: f64 = 5.0;
const WIDE: f64 = 20.0;
/// What rounding may do to a number that should be whole.
const SLACK: f64 = 1e-9;

/// The next of 1, 2 or 5 times a power of ten.
fn round_step(at_least: f64) -> f64 {
    let power = 10f64.powf(at_least.log10().floor());
    let part = at_least / power;
    let factor = [1.0, 2.0, 5.0].into_iter().find(|&factor| part <= factor + SLACK);
    power * factor.unwrap_or(10.0)
}

/// A number for people, with about four digits.
pub(crate) fn short(value: f64) -> String {
    let magnitude = value.abs();
    if !value.is_finite() {
        "none".to_owned()
    } else if magnitude == 0.0 {
        "0".to_owned()
    } else if !(1e-3..1e7).contains(&magnitude) {
        trimmed(&format!("{value:.2e}"))
    } else if magnitude >= 999.5 {
        format!("{value:.0}")
    } else if magnitude >= 99.95 {
        trimmed(&format!("{value:.1}"))
    } else if magnitude >= 1.0 {
        trimmed(&format!("{value:.2}"))
    } else {
        trimmed(&format!("{value:.4}"))
    }
}

/// Without zeros behind the point.
fn trimmed(number: &str) -> String {
    let (digits, exponent) = number.split_once('e').map_or((number, ""), |(d, e)| (d, e));
    let digits = if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    };
    if exponent.is_empty() { digits.to_owned() } else { format!("{digits}e{exponent}") }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;

    fn words(scale: &Scale) -> Vec<String> {
        scale.ticks.iter().map(|&tick| short(tick)).collect()
    }

    #[test]
    fn ticks_are_round_and_hold_every_value() {
        for largest in [1e-9, 0.3, 1.0, 9.9, 10.0, 11.0, 47.3, 99.0, 12345.0, 4e9, 1e99] {
            for growth in [Growth::Linear, Growth::Log] {
                let scale = Scale::of(growth, &[largest / 3.0, largest]);
                let place = scale.place(largest).unwrap();
                assert!(place > 0.3 && place <= 1.0 + SLACK, "{largest} {growth:?} {place}");
                assert!((2..=30).contains(&scale.ticks.len()), "{scale:?}");
                let places: Vec<f64> =
                    scale.ticks.iter().map(|&tick| scale.place(tick).unwrap()).collect();
                assert!(places.is_sorted(), "{scale:?}");
                assert!(places.iter().all(|&at| (-SLACK..=1.0 + SLACK).contains(&at)), "{scale:?}");
            }
        }
        let scale = Scale::of(Growth::Linear, &[47.3]);
        assert_eq!(words(&scale), ["0", "10", "20", "30", "40", "50"]);
        let scale = Scale::of(Growth::Log, &[3.0, 470.0]);
        assert_eq!(words(&scale), ["1", "2", "5", "10", "20", "50", "100", "200", "500", "1000"]);
    }

    #[test]
    fn flat_and_empty_series_have_an_axis() {
        // report-03: one point, all equal, all zero, NaN, infinity, zero on a log axis.
        for values in [
            vec![],
            vec![5.0],
            vec![5.0, 5.0, 5.0],
            vec![0.0, 0.0],
            vec![f64::NAN],
            vec![f64::INFINITY, 1.0],
            vec![f64::MAX, f64::MIN_POSITIVE],
            vec![-1.0],
        ] {
            for growth in [Growth::Linear, Growth::Log] {
                let scale = Scale::of(growth, &values);
                assert!(scale.high > scale.low, "{values:?} {scale:?}");
                assert!(scale.ticks.len() > 1, "{values:?} {scale:?}");
                assert!(scale.ticks.iter().all(|tick| tick.is_finite()), "{values:?} {scale:?}");
            }
        }
    }

    #[test]
    fn what_has_no_place_is_not_placed() {
        let linear = Scale::of(Growth::Linear, &[10.0]);
        let log = Scale::of(Growth::Log, &[10.0]);
        assert_eq!(linear.place(0.0), Some(0.0));
        assert_eq!(log.place(0.0), None);
        for value in [f64::NAN, f64::INFINITY, -1.0, 1e101] {
            assert_eq!((linear.place(value), log.place(value)), (None, None), "{value}");
        }
        let place = Scale::of(Growth::Log, &[1.0, 100.0]).place(10.0).unwrap();
        assert!((place - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_fitting_axis_follows_the_range() {
        assert_eq!(Growth::fitting(&[1.0, 19.0]), Growth::Linear);
        assert_eq!(Growth::fitting(&[1.0, 21.0]), Growth::Log);
        assert_eq!(Growth::fitting(&[0.0, 1.0, 100.0]), Growth::Linear);
        assert_eq!(Growth::fitting(&[]), Growth::Linear);
    }

    #[test]
    fn numbers_have_a_point_and_no_padding() {
        let shown = [0.0, 0.5, 1.0, 12.345, 123.45, 1234.6, 99_999.0, 2.5e7, 1e-5];
        let words: Vec<String> = shown.map(short).into();
        assert_eq!(words, ["0", "0.5", "1", "12.35", "123.5", "1235", "99999", "2.5e7", "1e-5"]);
        assert_eq!(short(f64::NAN), "none");
    }
}
