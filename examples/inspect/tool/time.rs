//! Points in time as people write them.

/// Microseconds since 1970 as a date of the Gregorian calendar, in UTC.
pub(crate) fn date(micros: i64) -> String {
    const DAY: i64 = 86_400_000_000;
    let (day, rest) = (micros.div_euclid(DAY), micros.rem_euclid(DAY));
    let (year, month, day) = civil(day);
    let (seconds, micros) = (rest / 1_000_000, rest % 1_000_000);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
}

/// Year, month and day of a number of days since 1970-01-01.
///
/// Counted in eras of 400 years that begin in March, so that the leap day is the last of its year.
const fn civil(days: i64) -> (i64, i64, i64) {
    const ERA: i64 = 146_097;
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + next, month, day)
}
