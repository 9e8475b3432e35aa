//! Against an implementation that is not ours.

use onewrite::circuit::json::{ErrorKind, Value, View};
use serde_json::{Map, Number};

use super::numbers::Random;

/// What `serde_json` would have made of a value. Of a key that is there twice the last one counts.
fn tree(value: Value<'_>) -> serde_json::Value {
    match value.view() {
        View::Null => serde_json::Value::Null,
        View::Bool(value) => value.into(),
        View::Number(number) => {
            serde_json::Value::Number(serde_json::from_str::<Number>(number.raw()).unwrap())
        }
        View::Text(text) => {
            let mut buffer = vec![0; text.len()];
            text.unescape(&mut buffer).unwrap().into()
        }
        View::Array(array) => array.into_iter().map(tree).collect::<Vec<_>>().into(),
        View::Object(object) => {
            let members = object.into_iter().map(|(key, value)| (key.to_string(), tree(value)));
            serde_json::Value::Object(members.collect::<Map<_, _>>())
        }
    }
}

/// Whether both take `text`, and make the same of it.
fn compare(text: &str) -> bool {
    let ours = Value::parse(text);
    let theirs = serde_json::from_str::<serde_json::Value>(text);
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(tree(ours), theirs, "{text:?}");
            true
        }
        (Err(_), Err(_)) => false,
        // It makes a float of every number, and not every number is one.
        (Ok(_), Err(error)) if error.to_string().contains("number out of range") => true,
        (Err(error), Ok(_)) if error.kind == ErrorKind::Depth => false,
        (ours, theirs) => panic!("{text:?}: {ours:?} {theirs:?}"),
    }
}

const SEEDS: &[&str] = &[
    r#"[{"eventHandlerId":1,"eventName":"click","eventFieldInfo":null},{"detail":1,"screenX":85,"clientX":75.25,"ctrlKey":false,"type":"click"}]"#,
    r#"[{"type":"server","sequence":0,"descriptor":"CfDJ8-x_y","uniqueId":0}]"#,
    r#"{"batchId":1,"operations":[{"type":"add","ssrComponentId":1,"marker":{"key":{"locationHash":"L1","formattedComponentKey":""}}}]}"#,
    r#" { "a" : [ ] , "b\u0000\ud83e\udd86\\" : [ true , false , null , -0.5e-7 , "é" ] } "#,
    r#"[[[[[[1],2],3],{"x":{"y":{"z":[]}}}]]]"#,
];

/// Changes one thing.
fn damage(text: &mut Vec<char>, random: &mut Random) {
    const PARTS: &[char] = &[
        '{', '}', '[', ']', ',', ':', '"', '\\', '/', 'u', 'b', 'f', 'n', 'r', 't', 'e', 'E', '+',
        '-', '.', '0', '1', '9', 'd', '8', 'c', ' ', '\t', '\n', '\u{c}', '\0', 'é', '🦆',
    ];
    let at = random.below(text.len() + 1);
    let part = PARTS[random.below(PARTS.len())];
    match random.below(4) {
        0 => text.insert(at, part),
        1 if at < text.len() => text[at] = part,
        2 if at < text.len() => drop(text.remove(at)),
        _ => {
            let to = random.below(text.len() + 1);
            let piece: Vec<char> = text[at.min(to)..at.max(to)].iter().take(8).copied().collect();
            text.splice(at..at, piece);
        }
    }
}

#[test]
fn both_take_the_same_texts_and_make_the_same_of_them() {
    let mut random = Random(0x1dea);
    let (mut taken, mut refused) = (0, 0);
    for seed in SEEDS {
        assert!(compare(seed), "{seed}");
        for _ in 0..6_000 {
            let mut text: Vec<char> = seed.chars().collect();
            for _ in 0..=random.below(3) {
                damage(&mut text, &mut random);
            }
            match compare(&text.into_iter().collect::<String>()) {
                true => taken += 1,
                false => refused += 1,
            }
        }
    }
    // Else the damage is no test of either.
    assert!(taken > 2_000 && refused > 2_000, "{taken} taken, {refused} refused");
}

/// From parts of the grammar alone, so that more of it is in order.
#[test]
fn both_agree_on_short_texts() {
    const PARTS: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"\\u00e9\"",
        "1",
        "-",
        "0",
        ".5",
        "e1",
        "true",
        " ",
    ];
    let mut random = Random(0x5eed);
    for _ in 0..40_000 {
        let parts = (0..random.below(9)).map(|_| PARTS[random.below(PARTS.len())]);
        compare(&parts.collect::<String>());
    }
}
