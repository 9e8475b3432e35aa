//! Dates.

use onewrite::http::date;

#[test]
fn known_dates_are_right() {
    for (seconds, expected) in [
        (0, b"Thu, 01 Jan 1970 00:00:00 GMT"),
        // RFC 9110 section 5.6.7.
        (784_111_777, b"Sun, 06 Nov 1994 08:49:37 GMT"),
        // RFC 7541 appendix C.6.1.
        (1_382_386_401, b"Mon, 21 Oct 2013 20:13:21 GMT"),
        (951_868_799, b"Tue, 29 Feb 2000 23:59:59 GMT"),
        (951_868_800, b"Wed, 01 Mar 2000 00:00:00 GMT"),
        (4_107_542_399, b"Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, b"Mon, 01 Mar 2100 00:00:00 GMT"),
        (253_402_300_799, b"Fri, 31 Dec 9999 23:59:59 GMT"),
        (253_402_300_800, b"Fri, 31 Dec 9999 23:59:59 GMT"),
        (u64::MAX, b"Fri, 31 Dec 9999 23:59:59 GMT"),
    ] {
        let made = date(seconds);
        assert_eq!(made, *expected, "{seconds}: {}", made.escape_ascii());
    }
}

/// Each day to the year 9999, counted on by the lengths of the months.
#[test]
fn days_follow_each_other() {
    const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut day = 0;
    for year in 1970..10_000 {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (month, length) in MONTHS.into_iter().zip(lengths) {
            for of_month in [1, 2, length] {
                let seconds = (day + of_month - 1) * 86_400 + 45_296;
                let weekday = WEEKDAYS[usize::try_from((day + of_month - 1) % 7).unwrap()];
                let expected = format!("{weekday}, {of_month:02} {month} {year} 12:34:56 GMT");
                assert_eq!(date(seconds), expected.as_bytes(), "{expected}");
            }
            day += length;
        }
    }
}
