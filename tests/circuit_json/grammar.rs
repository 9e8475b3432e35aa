//! RFC 8259, rule by rule: what is JSON, and where the rest goes wrong.

use onewrite::circuit::json::{DEPTH, Error, ErrorKind, Value};

const GOOD: &[&str] = &[
    // Any value is a text, with white space of four kinds around it.
    "null",
    "true",
    "false",
    "0",
    "\"\"",
    "[]",
    "{}",
    " \t\r\n{ \t\r\n} \t\r\n",
    // Arrays and objects.
    "[1,2]",
    "[[],[[]],{}]",
    "[null, 1, \"1\", {}]",
    "{\"a\":1}",
    "{\"\":0}",
    "{\"a\":{\"a\":{}},\"b\":[]}",
    "{\"a\":1,\"a\":2}",
    "{\"\\u0000\":1}",
    // Numbers.
    "-0",
    "-1",
    "10",
    "1.5",
    "-0.0",
    "0.1e1",
    "1e1",
    "1E1",
    "1e+1",
    "1e-01",
    "0e0",
    "123456789012345678901234567890",
    "1e999999",
    "-1e-999999",
    // Strings.
    r#""\"\\\/\b\f\n\r\t""#,
    r#""\u0041\uabcd\uABCD\u0000""#,
    r#""\ud83e\udd86""#,
    r#""\uDBFF\uDFFF""#,
    r#""\\u12""#,
    "\"\u{7f}\u{80}\u{2028}\u{ffff}\u{10ffff}\"",
    "\"a/*b*/c//d#e\"",
    "\"[{\"",
];

/// A text, and the byte that may not stand there.
const BAD: &[(&str, usize, ErrorKind)] = &[
    // Cut.
    ("", 0, ErrorKind::End),
    (" ", 1, ErrorKind::End),
    ("[", 1, ErrorKind::End),
    ("[1", 2, ErrorKind::End),
    ("[1,", 3, ErrorKind::End),
    ("{", 1, ErrorKind::End),
    ("{\"a\"", 4, ErrorKind::End),
    ("{\"a\":", 5, ErrorKind::End),
    ("{\"a\":1", 6, ErrorKind::End),
    ("{\"a\":1,", 7, ErrorKind::End),
    ("tru", 3, ErrorKind::End),
    ("nul", 3, ErrorKind::End),
    ("-", 1, ErrorKind::End),
    ("1.", 2, ErrorKind::End),
    ("1e", 2, ErrorKind::End),
    ("1e+", 3, ErrorKind::End),
    ("\"", 1, ErrorKind::End),
    ("\"a", 2, ErrorKind::End),
    ("\"\\", 2, ErrorKind::End),
    ("\"\\u", 3, ErrorKind::End),
    ("\"\\u00", 5, ErrorKind::End),
    ("\"\\ud83e", 7, ErrorKind::End),
    ("\"\\ud83e\\", 8, ErrorKind::End),
    ("\"\\ud83e\\u", 9, ErrorKind::End),
    // Something behind the end.
    ("1 2", 2, ErrorKind::Trailing),
    ("[]]", 2, ErrorKind::Trailing),
    ("{}}", 2, ErrorKind::Trailing),
    ("{},", 2, ErrorKind::Trailing),
    ("truex", 4, ErrorKind::Trailing),
    ("nullnull", 4, ErrorKind::Trailing),
    ("\"\"\"\"", 2, ErrorKind::Trailing),
    ("1\0", 1, ErrorKind::Trailing),
    ("0x1", 1, ErrorKind::Trailing),
    ("1//", 1, ErrorKind::Trailing),
    // Punctuation.
    (",", 0, ErrorKind::Unexpected),
    ("]", 0, ErrorKind::Unexpected),
    ("[,1]", 1, ErrorKind::Unexpected),
    ("[1,]", 3, ErrorKind::Unexpected),
    ("[1,,2]", 3, ErrorKind::Unexpected),
    ("[1 2]", 3, ErrorKind::Unexpected),
    ("[1}", 2, ErrorKind::Unexpected),
    ("[}", 1, ErrorKind::Unexpected),
    ("[\"a\":1]", 4, ErrorKind::Unexpected),
    ("{]", 1, ErrorKind::Unexpected),
    ("{,}", 1, ErrorKind::Unexpected),
    ("{\"a\"}", 4, ErrorKind::Unexpected),
    ("{\"a\",1}", 4, ErrorKind::Unexpected),
    ("{\"a\":}", 5, ErrorKind::Unexpected),
    ("{\"a\"::1}", 5, ErrorKind::Unexpected),
    ("{\"a\":1,}", 7, ErrorKind::Unexpected),
    ("{\"a\":1]", 6, ErrorKind::Unexpected),
    ("{\"a\":1 \"b\":2}", 7, ErrorKind::Unexpected),
    ("{1:1}", 1, ErrorKind::Unexpected),
    ("{a:1}", 1, ErrorKind::Unexpected),
    ("{'a':1}", 1, ErrorKind::Unexpected),
    ("{null:1}", 1, ErrorKind::Unexpected),
    // Names, and what other languages have.
    ("True", 0, ErrorKind::Unexpected),
    ("TRUE", 0, ErrorKind::Unexpected),
    ("trUe", 2, ErrorKind::Unexpected),
    ("nil", 1, ErrorKind::Unexpected),
    ("undefined", 0, ErrorKind::Unexpected),
    ("NaN", 0, ErrorKind::Unexpected),
    ("Infinity", 0, ErrorKind::Unexpected),
    ("-Infinity", 1, ErrorKind::Number),
    ("'a'", 0, ErrorKind::Unexpected),
    ("\\u0031", 0, ErrorKind::Unexpected),
    ("/**/1", 0, ErrorKind::Unexpected),
    ("#1", 0, ErrorKind::Unexpected),
    ("<null>", 0, ErrorKind::Unexpected),
    // White space is of four kinds, and a byte order mark is none.
    ("\u{a0}1", 0, ErrorKind::Unexpected),
    ("\u{feff}1", 0, ErrorKind::Unexpected),
    ("\x0c1", 0, ErrorKind::Unexpected),
    ("\x0b1", 0, ErrorKind::Unexpected),
    ("[\u{2028}]", 1, ErrorKind::Unexpected),
    ("\u{0}1", 0, ErrorKind::Unexpected),
    // Numbers.
    ("+1", 0, ErrorKind::Unexpected),
    (".5", 0, ErrorKind::Unexpected),
    ("-.5", 1, ErrorKind::Number),
    ("--1", 1, ErrorKind::Number),
    ("- 1", 1, ErrorKind::Number),
    ("01", 1, ErrorKind::Number),
    ("-01", 2, ErrorKind::Number),
    ("00", 1, ErrorKind::Number),
    ("1.e1", 2, ErrorKind::Number),
    ("1.-1", 2, ErrorKind::Number),
    ("1ee1", 2, ErrorKind::Number),
    ("1e.1", 2, ErrorKind::Number),
    ("1e+-1", 3, ErrorKind::Number),
    ("1.5.5", 3, ErrorKind::Trailing),
    ("1e1.5", 3, ErrorKind::Trailing),
    ("1_000", 1, ErrorKind::Trailing),
    ("1f", 1, ErrorKind::Trailing),
    ("\u{ff11}", 0, ErrorKind::Unexpected),
    ("1\u{ff11}", 1, ErrorKind::Trailing),
    // Strings.
    ("\"\t\"", 1, ErrorKind::Control),
    ("\"a\n\"", 2, ErrorKind::Control),
    ("\"\0\"", 1, ErrorKind::Control),
    ("\"\x1f\"", 1, ErrorKind::Control),
    ("{\"\n\":1}", 2, ErrorKind::Control),
    (r#""\a""#, 2, ErrorKind::Escape),
    (r#""\x41""#, 2, ErrorKind::Escape),
    (r#""\'""#, 2, ErrorKind::Escape),
    (r#""\U0041""#, 2, ErrorKind::Escape),
    ("\"\\\n\"", 2, ErrorKind::Escape),
    ("\"\\\u{20ac}\"", 2, ErrorKind::Escape),
    (r#""\u004""#, 6, ErrorKind::Escape),
    (r#""\u00g0""#, 5, ErrorKind::Escape),
    (r#""\u{41}""#, 3, ErrorKind::Escape),
    (r#""\u-041""#, 3, ErrorKind::Escape),
    // Halves of surrogate pairs, which no string of ours can hold.
    (r#""\ud800""#, 1, ErrorKind::Surrogate),
    (r#""\udc00""#, 1, ErrorKind::Surrogate),
    (r#""a\ud800b""#, 2, ErrorKind::Surrogate),
    (r#""\ud800\n""#, 1, ErrorKind::Surrogate),
    (r#""\ud800\ud800""#, 1, ErrorKind::Surrogate),
    (r#""\ud800\u0041""#, 1, ErrorKind::Surrogate),
    (r#""\udd86\ud83e""#, 1, ErrorKind::Surrogate),
    (r#""\ud800\u00g0""#, 11, ErrorKind::Escape),
];

#[test]
fn what_is_json_is_taken() {
    for text in GOOD {
        let value = Value::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(value.raw(), text.trim(), "{text:?}");
    }
}

#[test]
fn what_is_none_is_refused_where_it_goes_wrong() {
    for (text, at, kind) in BAD {
        assert_eq!(Value::parse(text).err(), Some(Error { at: *at, kind: *kind }), "{text:?}");
    }
}

/// Cut anywhere, and with white space left in front of what follows.
#[test]
fn a_text_that_is_cut_ends_early() {
    let text = r#" [{"a":[true,false,null],"b\u00e9\ud83e\udd86":"\\\"x","c":{}},"é🦆"] "#;
    assert!(Value::parse(text).is_ok());
    for end in (0..text.len() - 1).filter(|end| text.is_char_boundary(*end)) {
        let error = Value::parse(&text[..end]).err();
        assert_eq!(error, Some(Error { at: end, kind: ErrorKind::End }), "{:?}", &text[..end]);
    }
}

#[test]
fn levels_are_limited() {
    let nested = |open: &str, close: &str, levels: usize| {
        let text = open.repeat(levels) + &close.repeat(levels);
        Value::parse(&text).map(|value| value.at())
    };
    assert_eq!(nested("[", "]", DEPTH), Ok(0));
    let error = nested("[", "]", DEPTH + 1);
    assert_eq!(error, Err(Error { at: DEPTH, kind: ErrorKind::Depth }));
    // Mixed, so that every bit of the levels counts.
    let mixed: String =
        (0..DEPTH).map(|level| if level % 3 == 0 { "{\"a\":" } else { "[" }).collect();
    let back = (0..DEPTH).rev().map(|level| if level % 3 == 0 { "}" } else { "]" });
    assert!(Value::parse(&format!("{mixed}1{}", back.collect::<String>())).is_ok());
    // A long way down is refused at once, and takes no stack.
    let error = nested("[", "", 1_000_000);
    assert_eq!(error, Err(Error { at: DEPTH, kind: ErrorKind::Depth }));
    let error = nested("{\"a\":", "", 1_000_000);
    assert_eq!(error, Err(Error { at: DEPTH * 5, kind: ErrorKind::Depth }));
}

#[test]
fn errors_read_well() {
    let error = Value::parse("[1,]").unwrap_err();
    assert_eq!(error.to_string(), "unexpected character at byte 3");
    let error = Value::parse("{}").unwrap().object().unwrap().require("id").unwrap_err();
    assert_eq!(error.to_string(), "object has no key id at byte 0");
    let error = Value::parse("[{}]").unwrap().array().unwrap().exactly::<2>().unwrap_err();
    assert_eq!(error.to_string(), "array has not 2 elements at byte 0");
    let error = Value::parse("7").unwrap().text().unwrap_err();
    assert_eq!(error.to_string(), "value is not a string at byte 0");
}
