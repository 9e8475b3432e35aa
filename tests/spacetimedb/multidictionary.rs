//! Deltas applied as the C# client does.

use onewrite::spacetimedb::multi_dictionary::{
    Applied, ApplyError, Delta, Mode, MultiDictionary, Visitor,
};
use serde_json::{Value as Json, json};

type Dictionary = MultiDictionary<i64, i64, 256>;

/// What a visitor was told, in the form of the vectors.
#[derive(Default, PartialEq)]
struct Told {
    before_delete: Vec<Vec<i64>>,
    inserted: Vec<Vec<i64>>,
    updated: Vec<Vec<i64>>,
    removed: Vec<Vec<i64>>,
}

impl Visitor<i64, i64> for Told {
    fn on_before_delete(&mut self, key: &i64, row: &i64) {
        self.before_delete.push(vec![*key, *row]);
    }

    fn on_insert(&mut self, key: &i64, row: &i64) {
        self.inserted.push(vec![*key, *row]);
    }

    fn on_update(&mut self, key: &i64, old: &i64, new: &i64) {
        self.updated.push(vec![*key, *old, *new]);
    }

    fn on_delete(&mut self, key: &i64, row: &i64) {
        self.removed.push(vec![*key, *row]);
    }
}

pub(crate) fn compare(case: &Json) -> Result<(), String> {
    compare_in(case, Mode::Lenient)?;
    // A well-behaved server is nothing that a strict client refuses.
    if case["class"] == "valid" { compare_in(case, Mode::Strict) } else { Ok(()) }
}

fn compare_in(case: &Json, mode: Mode) -> Result<(), String> {
    let mut dictionary = started(text(case, "start")?)?;
    let mut delta = Delta::<i64, i64, 256>::new();
    for operation in text(case, "ops")?.split_whitespace() {
        let (sign, pair) = operation.split_at(1);
        let [key, row] = numbers(pair)?;
        let counted = match sign {
            "+" => delta.add(key, row),
            "-" => delta.remove(key, row),
            _ => return Err(format!("{operation} is no operation")),
        };
        counted.map_err(|why| format!("{operation}: {why}"))?;
    }

    let mut told = Told::default();
    let outcome = dictionary.apply(&mut delta, mode, &mut told);
    let (exception, applied) = match outcome {
        Ok(applied) => (Json::Null, applied),
        Err(ApplyError::Ambiguous { pseudo_throws, .. }) => {
            let applied = Applied { pseudo_throws, ..Applied::default() };
            (json!("InvalidOperationException"), applied)
        }
        Err(why) => return Err(format!("{mode:?}: {why}")),
    };
    let counts = [applied.inserted, applied.updated, applied.deleted];
    let lists = [told.inserted.len(), told.updated.len(), told.removed.len()];
    if counts != lists {
        return Err(format!("{mode:?}: {counts:?} counted, {lists:?} told"));
    }
    let before_delete =
        if exception.is_null() { json!(sorted(told.before_delete)) } else { Json::Null };
    let state = dictionary.iter().map(|(key, row, copies)| vec![*key, *row, copies.into()]);
    let expected = |field: &str| case[field].clone();
    for (field, found) in [
        ("exception", exception),
        ("before_delete", before_delete),
        ("inserted", json!(sorted(told.inserted))),
        ("updated", json!(sorted(told.updated))),
        ("removed", json!(sorted(told.removed))),
        ("state", json!(sorted(state.collect()))),
        ("pseudo_throws", json!(applied.pseudo_throws)),
    ] {
        if found != expected(field) {
            return Err(format!(
                "{mode:?}: {} on {}: {field} is {found} and not {}",
                case["ops"],
                case["start"],
                expected(field)
            ));
        }
    }
    Ok(())
}

/// A table with `rows`, each a key, a row and its multiplicity.
fn started(rows: &str) -> Result<Dictionary, String> {
    let mut dictionary = Dictionary::new();
    let mut delta = Delta::<i64, i64, 256>::new();
    for row in rows.split_whitespace() {
        let [key, row, copies] = numbers(row)?;
        for _ in 0..copies {
            delta.add(key, row).map_err(|why| why.to_string())?;
        }
    }
    let applied = dictionary.apply(&mut delta, Mode::Strict, &mut ());
    applied.map_err(|why| why.to_string())?;
    Ok(dictionary)
}

fn text<'a>(case: &'a Json, field: &str) -> Result<&'a str, String> {
    case[field].as_str().ok_or_else(|| format!("no {field}"))
}

fn numbers<const N: usize>(list: &str) -> Result<[i64; N], String> {
    let numbers: Vec<i64> = list.split(',').map_while(|number| number.parse().ok()).collect();
    numbers.try_into().map_err(|_| format!("{list} is not {N} numbers"))
}

fn sorted(mut list: Vec<Vec<i64>>) -> Vec<Vec<i64>> {
    list.sort();
    list
}
