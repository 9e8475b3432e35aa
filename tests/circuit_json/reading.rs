//! What is found in a text that was taken.

use onewrite::circuit::json::{Error, ErrorKind, NoRoom, Text, Value, View};

fn value(text: &str) -> Value<'_> {
    Value::parse(text).unwrap()
}

fn text(text: &str) -> Text<'_> {
    value(text).text().unwrap()
}

#[test]
fn keys_are_found_whatever_is_between() {
    let object =
        value(r#"{"a" : "}]\\\"", "b":[{"c":1}] ,"c": -2.5e3,"d":null}"#).object().unwrap();
    assert!(object.require("a").unwrap().text().unwrap() == "}]\\\"");
    assert_eq!(object.require("b").unwrap().raw(), r#"[{"c":1}]"#);
    assert_eq!(object.require("c").unwrap().number().unwrap().raw(), "-2.5e3");
    assert!(object.require("d").unwrap().is_null());
    assert!(object.get("e").unwrap().is_none());
    // That of an object inside is not its own.
    let missing = value(r#" {"a":{"b":1}}"#).object().unwrap().require("b").unwrap_err();
    assert_eq!(missing, Error { at: 1, kind: ErrorKind::Missing { key: "b" } });
}

#[test]
fn keys_may_be_escaped() {
    let object = value(r#"{"event\u004eame":1,"\"":2,"\u00e9":3}"#).object().unwrap();
    for (key, number) in [("eventName", 1), ("\"", 2), ("é", 3)] {
        assert_eq!(object.get(key).unwrap().unwrap().u64(), Ok(number), "{key}");
    }
}

#[test]
fn a_key_that_is_asked_for_and_there_twice_is_refused() {
    let object = value(r#"{"a":1,"b":2,"\u0061":3}"#).object().unwrap();
    assert_eq!(object.get("a").unwrap_err(), Error { at: 22, kind: ErrorKind::Repeated });
    assert_eq!(object.require("a").unwrap_err().kind, ErrorKind::Repeated);
    assert_eq!(object.require("b").unwrap().u64(), Ok(2));
    assert_eq!(object.iter().count(), 3);
}

#[test]
fn several_keys_are_found_in_one_walk() {
    let object = value(r#"{"c":3,"a":1,"x":0,"x":0}"#).object().unwrap();
    let [a, b, c] = object.pick(["a", "b", "c"]).unwrap();
    assert_eq!(a.unwrap().u64(), Ok(1));
    assert!(b.is_none());
    assert_eq!(c.unwrap().u64(), Ok(3));
    assert_eq!(object.pick(["a", "x"]).unwrap_err().kind, ErrorKind::Repeated);
}

#[test]
fn arrays_have_so_many_elements() {
    let array = value("[1, [2, 3] ,\"4\"]").array().unwrap();
    let [one, two, three] = array.exactly().unwrap();
    assert_eq!((one.raw(), two.raw(), three.raw()), ("1", "[2, 3]", "\"4\""));
    assert_eq!((one.at(), two.at(), three.at()), (1, 4, 12));
    assert_eq!(array.exactly::<2>().unwrap_err().kind, ErrorKind::Count { expected: 2 });
    assert_eq!(array.exactly::<4>().unwrap_err().kind, ErrorKind::Count { expected: 4 });
    assert!(value("[ ]").array().unwrap().exactly::<0>().is_ok());
    assert_eq!(value("[]").array().unwrap().iter().count(), 0);
}

#[test]
fn integers_are_those_written_with_digits() {
    for (text, unsigned, signed) in [
        ("0", Some(0), Some(0)),
        ("-0", None, Some(0)),
        ("-1", None, Some(-1)),
        ("18446744073709551615", Some(u64::MAX), None),
        ("18446744073709551616", None, None),
        ("9223372036854775807", Some(9_223_372_036_854_775_807), Some(i64::MAX)),
        ("-9223372036854775808", None, Some(i64::MIN)),
        ("-9223372036854775809", None, None),
        ("1.0", None, None),
        ("1e2", None, None),
        ("99999999999999999999999999999999999999999", None, None),
    ] {
        let number = value(text).number().unwrap();
        assert_eq!((number.to_u64(), number.to_i64()), (unsigned, signed), "{text}");
    }
    assert_eq!(value("4294967295").u32(), Ok(u32::MAX));
    assert!(value("4294967296").u32().is_err());
}

#[test]
fn coordinates_lose_their_fraction() {
    for (text, whole) in [
        ("75", Some(75)),
        ("75.9375", Some(75)),
        ("-0.5", Some(0)),
        ("-12.75", Some(-12)),
        ("1e2", None),
        ("1.5E2", None),
        ("99999999999999999999.5", None),
    ] {
        assert_eq!(value(text).number().unwrap().truncated(), whole, "{text}");
    }
}

#[test]
fn values_of_another_type_are_refused() {
    let at_five = |text: &str| {
        let text = format!("{{\"a\":{text}}}");
        let value = value(&text).object().unwrap().require("a").unwrap();
        [
            value.bool().err(),
            value.number().err(),
            value.text().err(),
            value.array().err(),
            value.object().err(),
            value.u64().err(),
            value.i64().err(),
        ]
    };
    for (text, fits) in [
        ("null", &[][..]),
        ("true", &[0]),
        ("-1.5", &[1]),
        ("-1", &[1, 6]),
        ("1", &[1, 5, 6]),
        ("\"1\"", &[2]),
        ("[]", &[3]),
        ("{}", &[4]),
    ] {
        for (number, error) in at_five(text).into_iter().enumerate() {
            assert_eq!(error.is_none(), fits.contains(&number), "{text} as number {number}");
            assert!(error.is_none_or(|error| error.at == 5));
        }
    }
}

#[test]
fn strings_are_compared_without_their_escapes() {
    let duck = text(r#""a\ud83e\udd86\n\u00e9""#);
    assert!(duck == "a🦆\né");
    assert!(duck == text("\"a🦆\\u000A\u{e9}\""));
    for other in ["a🦆\n", "a🦆\né!", "b🦆\né", "", r"a\ud83e\udd86\n\u00e9"] {
        assert!(duck != other, "{other}");
    }
    assert_eq!(duck.plain(), None);
    assert_eq!(text("\"a/b\"").plain(), Some("a/b"));
    assert!(text(r#""\\""#) == "\\");
    assert!(text(r#""\u005c\u0022""#) == "\\\"");
    assert!(text(r#""\b\f\n\r\t\/""#) == "\u{8}\u{c}\n\r\t/");
    assert_eq!(duck.to_string(), "a🦆\né");
}

#[test]
fn strings_are_unescaped_into_a_buffer_that_is_long_enough() {
    // Characters of one, two, three and four bytes, at both ends of their range.
    let chars =
        ['\0', '\u{7f}', '\u{80}', '\u{7ff}', '\u{800}', '\u{ffff}', '\u{10000}', '\u{10ffff}'];
    let plain: String = chars.iter().collect();
    let escaped: String = plain.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    let json = format!("\"{escaped}\"");
    let text = text(&json);
    assert_eq!(text.len(), plain.len());
    assert!(!text.is_empty());
    let mut buffer = vec![0xa5; plain.len() + 2];
    assert_eq!(text.unescape(&mut buffer), Ok(&*plain));
    assert_eq!(&buffer[plain.len()..], [0xa5; 2]);
    for len in 0..plain.len() {
        let error = text.unescape(&mut buffer[..len]);
        assert_eq!(error, Err(NoRoom { needed: plain.len() }));
    }
    // What has no escapes takes no buffer, unless it is to be copied.
    let plain = value("\"plain\"").text().unwrap();
    assert_eq!(plain.unescape(&mut []), Ok("plain"));
    assert_eq!(plain.copy_to(&mut [0; 5]), Ok("plain"));
    assert_eq!(plain.copy_to(&mut [0; 4]), Err(NoRoom { needed: 5 }));
}

#[test]
fn a_view_is_what_the_text_says() {
    assert!(matches!(value("null").view(), View::Null));
    assert!(matches!(value(" true ").view(), View::Bool(true)));
    assert!(matches!(value("false").view(), View::Bool(false)));
    assert!(matches!(value("\"\"").view(), View::Text(text) if text.is_empty()));
}
