//! The time as header fields have it.

/// A time as `date`, `expires` and `last-modified` have it, from seconds since 1970 (UTC).
///
/// `Sun, 06 Nov 1994 08:49:37 GMT`: always 29 bytes, so it fills a hole. What is later than the year
/// 9999 is the last second of that year.
///
/// ```
/// use onewrite::http::date;
///
/// assert_eq!(&date(784_111_777), b"Sun, 06 Nov 1994 08:49:37 GMT");
/// ```
///
/// Source: RFC 9110 section 5.6.7, `IMF-fixdate`.
#[must_use]
pub const fn date(unix_seconds: u64) -> [u8; 29] {
    let seconds = if unix_seconds > LAST { LAST } else { unix_seconds };
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let [w, e, k] = weekday(days);
    let [m, o, n] = month_name(month);
    let ([c0, c1], [y0, y1]) = (two_digits(year / 100), two_digits(year % 100));
    let [d0, d1] = two_digits(day);
    let [h0, h1] = two_digits(second / 3_600);
    let ([m0, m1], [s0, s1]) = (two_digits(second / 60 % 60), two_digits(second % 60));
    [
        w, e, k, b',', b' ', d0, d1, b' ', m, o, n, b' ', c0, c1, y0, y1, b' ', h0, h1, b':', m0,
        m1, b':', s0, s1, b' ', b'G', b'M', b'T',
    ]
}

/// Year, month from 1, and day from 1, of a day since 1970.
///
/// Years are counted from March, so that the day which leap years have more is their last, and in
/// cycles of 400, which are all of one length.
const fn civil(days: u64) -> (u64, u64, u64) {
    // From 1 March of the year 0.
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Five months from March have 153 days, and so have the next five.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = year + 400 * cycle;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

const fn weekday(days: u64) -> [u8; 3] {
    match days % 7 {
        0 => *b"Thu",
        1 => *b"Fri",
        2 => *b"Sat",
        3 => *b"Sun",
        4 => *b"Mon",
        5 => *b"Tue",
        _ => *b"Wed",
    }
}

const fn month_name(month: u64) -> [u8; 3] {
    match month {
        1 => *b"Jan",
        2 => *b"Feb",
        3 => *b"Mar",
        4 => *b"Apr",
        5 => *b"May",
        6 => *b"Jun",
        7 => *b"Jul",
        8 => *b"Aug",
        9 => *b"Sep",
        10 => *b"Oct",
        11 => *b"Nov",
        _ => *b"Dec",
    }
}

/// The digits of a number below 100.
const fn two_digits(value: u64) -> [u8; 2] {
    let ([tens, ..], [units, ..]) = ((value / 10).to_le_bytes(), (value % 10).to_le_bytes());
    [b'0' + tens, b'0' + units]
}

/// The last second of the year 9999.
const LAST: u64 = 253_402_300_799;
