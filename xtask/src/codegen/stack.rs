//! How much stack functions take, read off their machine code: what a prologue moves `sp` by, and
//! what the functions that it calls take on top.
//!
//! Of a call or a jump through a pointer nobody knows where it goes; it is marked. What moves `sp` by a
//! register cannot be read off, and is refused. What copies memory (`memcpy` and its like) is a board's own
//! and not in the listing.

use std::collections::BTreeMap;

use anyhow::{Result, bail};

use super::assembly::{Block, Listing};

/// The stack of one function and of everything that it calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Depth {
    /// Bytes.
    pub(super) bytes: u64,
    /// Whether a call through a pointer comes on top.
    pub(super) indirect: bool,
    /// Whether a function calls itself, so that the bytes are no bound.
    pub(super) recursive: bool,
}

impl Depth {
    fn deeper(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.max(other.bytes),
            indirect: self.indirect || other.indirect,
            recursive: self.recursive || other.recursive,
        }
    }
}

/// The depth of every function that is called from outside: those called `bench_…`.
///
/// # Errors
///
/// The stack of a function cannot be read off its code.
pub(super) fn entry_points(listing: &Listing) -> Result<Vec<(&str, Depth)>> {
    for function in &listing.functions {
        if let Some((word, operands)) = function.code().find(|code| is_unreadable(*code)) {
            bail!("{}: how much stack `{word} {operands}` takes is not known", function.name);
        }
    }
    let functions: BTreeMap<&str, &Block> =
        listing.functions.iter().map(|function| (function.name.as_str(), function)).collect();
    let mut known = BTreeMap::new();
    let names = functions.keys().filter(|name| name.starts_with("bench_"));
    Ok(names.map(|name| (*name, depth(name, &functions, &mut known, &mut Vec::new()))).collect())
}

fn depth<'l>(
    name: &'l str,
    functions: &BTreeMap<&'l str, &'l Block>,
    known: &mut BTreeMap<&'l str, Depth>,
    callers: &mut Vec<&'l str>,
) -> Depth {
    if let Some(depth) = known.get(name) {
        return *depth;
    }
    if callers.contains(&name) {
        return Depth { recursive: true, ..Depth::default() };
    }
    let Some(function) = functions.get(name) else { return Depth::default() };
    callers.push(name);
    let own: u64 = function.code().map(|(word, operands)| taken(word, operands)).sum();
    let mut result = Depth { bytes: own, ..Depth::default() };
    let mut before: Vec<(&str, &str)> = Vec::new();
    for (word, operands) in function.code() {
        before.push((word, operands));
        // What is branched to with the frame given back takes its place.
        let below = match word {
            "bl" => own,
            "b" if !operands.starts_with(".L") => 0,
            "blr" => {
                result.indirect = true;
                continue;
            }
            "br" => {
                result.indirect |= !is_in_table(operands, &before);
                continue;
            }
            _ => continue,
        };
        let callee = depth(operands, functions, known, callers);
        result = result.deeper(Depth { bytes: below + callee.bytes, ..callee });
    }
    callers.pop();
    // On the way round, what stands above is missing.
    if callers.is_empty() || !result.recursive {
        known.insert(name, result);
    }
    result
}

/// The entry points that take more than a tenth more than what is kept, whose mark is another one, and
/// those that only one of the two tables has.
pub(super) fn grown(kept: &str, made: &str) -> Vec<String> {
    let (kept, made): (BTreeMap<_, _>, BTreeMap<_, _>) =
        (rows(kept).collect(), rows(made).collect());
    let has_grown = |(name, (bytes, marks)): &(&&str, &(u64, Vec<&str>))| {
        kept.get(*name).is_none_or(|(before, marked)| bytes * 10 > before * 11 || marks != marked)
    };
    let grown = made.iter().filter(has_grown).map(|(name, _)| *name);
    let gone = kept.keys().filter(|name| !made.contains_key(*name)).copied();
    grown.chain(gone).map(str::to_owned).collect()
}

/// The lines of a table: a name, a number of bytes, and its marks.
fn rows(table: &str) -> impl Iterator<Item = (&str, (u64, Vec<&str>))> {
    table.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (name, bytes) = (words.next()?, words.next()?.parse().ok()?);
        Some((name, (bytes, words.collect())))
    })
}

/// Whether a jump stays in its function: its register was made of an address and an entry of a table, the
/// distance to one of several places, counted in instructions or in bytes.
fn is_in_table(register: &str, before: &[(&str, &str)]) -> bool {
    let number = register.trim_start_matches(['x', 'w']);
    let writes = |(_, operands): &&(&str, &str)| {
        let first = operands.split(',').next().unwrap_or_default();
        first.trim_start_matches(['x', 'w']) == number
    };
    // The last one is the jump itself.
    let last = before.iter().rev().skip(1).find(writes);
    last.is_some_and(|(word, operands)| {
        *word == "add" && (operands.contains("lsl #2") || !operands.contains('#'))
    })
}

/// Whether an instruction moves `sp` by what only a run knows.
fn is_unreadable((word, operands): (&str, &str)) -> bool {
    let Some(rest) = operands.strip_prefix("sp, ") else { return false };
    let is_number = |text: &str| text.starts_with('#');
    match word {
        "sub" | "add" => {
            // Relative to the frame's own pointer it gives back.
            let from = rest.strip_prefix("sp, ").or_else(|| rest.strip_prefix("x29, "));
            !from.is_some_and(is_number)
        }
        "mov" => rest != "x29",
        // A store or a comparison moves nothing.
        _ => matches!(word, "and" | "bic" | "orr"),
    }
}

/// The bytes by which an instruction moves `sp` down.
fn taken(word: &str, operands: &str) -> u64 {
    let number = |text: &str| text.trim().trim_start_matches('#').parse::<u64>().unwrap_or(0);
    if word == "sub" {
        let Some(amount) = operands.strip_prefix("sp, sp, ") else { return 0 };
        return match amount.split_once(", lsl #12") {
            Some((pages, _)) => number(pages) << 12,
            None => number(amount),
        };
    }
    let before = operands.strip_suffix("]!").and_then(|rest| rest.rsplit_once("[sp, #-"));
    before.map_or(0, |(_, amount)| number(amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depths(code: &str) -> Vec<(String, Depth)> {
        let listing = Listing::read(&format!("\t.text\n{code}"));
        let found = entry_points(&listing).unwrap_or_default();
        found.into_iter().map(|(name, depth)| (name.to_owned(), depth)).collect()
    }

    fn bytes(bytes: u64) -> Depth {
        Depth { bytes, ..Depth::default() }
    }

    #[test]
    fn frames_are_summed_along_the_deepest_path() {
        let code = "bench_a:\n\tstp\tx29, x30, [sp, #-32]!\n\tbl\tb\n\tbl\tc\n\tret\n\
            b:\n\tsub\tsp, sp, #48\n\tret\nc:\n\tsub\tsp, sp, #1, lsl #12\n\tsub\tsp, sp, #16\n\tret\n";
        assert_eq!(depths(code), [("bench_a".to_owned(), bytes(32 + 4096 + 16))]);
    }

    #[test]
    fn a_tail_call_takes_the_place_of_its_caller() {
        let code = "bench_a:\n\tsub\tsp, sp, #64\n\tadd\tsp, sp, #64\n\tb\tb\nb:\n\tsub\tsp, sp, #80\n\tret\n";
        assert_eq!(depths(code), [("bench_a".to_owned(), bytes(80))]);
    }

    #[test]
    fn what_cannot_be_known_is_marked() {
        let code = "bench_a:\n\tstr\tx30, [sp, #-16]!\n\tblr\tx8\n\tret\n\
            bench_b:\n\tsub\tsp, sp, #16\n\tbl\tbench_b\n\tret\n";
        let found = depths(code);
        let [(_, a), (_, b)] = &*found else { unreachable!("{found:?}") };
        assert_eq!(*a, Depth { indirect: true, ..bytes(16) });
        assert_eq!(*b, Depth { recursive: true, ..bytes(16) });
    }

    #[test]
    fn a_jump_through_a_pointer_is_marked_and_one_through_a_table_is_not() {
        let table = "bench_a:\n\tadr\tx10, .LBB0_2\n\tldrb\tw11, [x9, x8]\n\tadd\tx10, x10, x11, lsl #2\n\tbr\tx10\n";
        assert_eq!(depths(table), [("bench_a".to_owned(), bytes(0))]);
        let pointer = "bench_a:\n\tadd\tx3, x1, x2\n\tldr\tx3, [x1, #24]\n\tbr\tx3\n";
        let marked = Depth { indirect: true, ..bytes(0) };
        assert_eq!(depths(pointer), [("bench_a".to_owned(), marked)]);
    }

    #[test]
    fn what_moves_by_a_register_is_refused() {
        for (word, operands) in [
            ("sub", "sp, sp, x9"),
            ("sub", "sp, x9, #16"),
            ("and", "sp, x9, #0xffffffffffffffe0"),
            ("mov", "sp, x9"),
        ] {
            assert!(is_unreadable((word, operands)), "{word} {operands}");
            let listing =
                format!("\t.text\nbench_a:\n\tbl\tb\n\tret\nb:\n\t{word}\t{operands}\n\tret\n");
            let error = entry_points(&Listing::read(&listing)).err().map(|error| error.to_string());
            assert!(
                error.is_some_and(|error| error.starts_with("b: ") && error.contains(operands))
            );
        }
        for (word, operands) in [
            ("sub", "sp, sp, #64"),
            ("sub", "sp, sp, #1, lsl #12"),
            ("add", "sp, sp, #64"),
            ("sub", "sp, x29, #16"),
            ("mov", "sp, x29"),
            ("sub", "x9, sp, x10"),
        ] {
            assert!(!is_unreadable((word, operands)), "{word} {operands}");
        }
    }

    #[test]
    fn a_tenth_more_is_too_much() {
        let kept = "# rustc 1.96.0\na    100\nb    16 (+)\n";
        assert!(grown(kept, "a    110\nb    16 (+)\n").is_empty());
        assert_eq!(grown(kept, "a    111\nb    16 (+)\n"), ["a"]);
        assert_eq!(grown(kept, "c    1\n"), ["c", "a", "b"]);
        // A number that is no bound any more.
        assert_eq!(grown(kept, "a    100 recursive\nb    16\n"), ["a", "b"]);
    }

    #[test]
    fn where_one_comes_in_does_not_matter() {
        let code = "bench_a:\n\tbl\ta\n\tret\nbench_b:\n\tbl\tb\n\tret\n\
            a:\n\tsub\tsp, sp, #48\n\tbl\tb\n\tret\nb:\n\tsub\tsp, sp, #16\n\tbl\ta\n\tret\n";
        let both = Depth { recursive: true, ..bytes(64) };
        assert_eq!(depths(code), [("bench_a".to_owned(), both), ("bench_b".to_owned(), both)]);
    }

    #[test]
    fn what_only_stores_or_gives_back_takes_nothing() {
        for (word, operands) in [
            ("stp", "x0, x1, [sp, #16]"),
            ("ldp", "x29, x30, [sp], #32"),
            ("add", "sp, sp, #32"),
            ("str", "x0, [x1, #-16]!"),
        ] {
            assert_eq!(taken(word, operands), 0, "{word} {operands}");
        }
    }
}
