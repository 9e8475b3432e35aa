//! Every target with its seeds, with damaged ones, and with what was once a finding.

use std::time::{Duration, Instant};
use std::{env, fs, panic};

use onewrite_fuzz::{Numbers, TARGETS, Target, seeds};

/// How many damaged seeds each target is given, unless `ONEWRITE_FUZZ_SECONDS` says for how long.
const DAMAGED: u64 = 200;

fn time() -> Option<Duration> {
    let seconds = env::var("ONEWRITE_FUZZ_SECONDS").ok()?;
    Some(Duration::from_secs_f64(seconds.parse().expect("a number of seconds")))
}

fn run(name: &str, target: Target, input: &[u8]) {
    if panic::catch_unwind(|| target(input)).is_err() {
        panic!("{name}: {}", input.escape_ascii());
    }
}

/// Changes a few things of an input.
fn damage(input: &mut Vec<u8>, other: &[u8], numbers: &mut Numbers) {
    const BYTES: &[u8] = b"\0\x01\x7f\x80\xff\r\n :;\"{}[],-0e";
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(input.len() + 1);
        match numbers.below(7) {
            0 => input.insert(at, BYTES[numbers.below(BYTES.len())]),
            1 => input.truncate(at),
            2 => {
                let from = numbers.below(other.len() + 1);
                let to = other.len().min(from + numbers.below(40));
                input.splice(at..at, other[from..to].iter().copied());
            }
            3 if at < input.len() => drop(input.remove(at)),
            4 if at < input.len() => input[at] = BYTES[numbers.below(BYTES.len())],
            _ if at < input.len() => input[at] ^= 1 << numbers.below(8),
            _ => {}
        }
    }
}

#[test]
fn seeds_and_what_becomes_of_them_break_nothing() {
    let only = env::var("ONEWRITE_FUZZ_TARGET").ok();
    for (name, target) in TARGETS {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let seeds = seeds::of(name);
        let begin = Instant::now();
        seeds.iter().for_each(|seed| run(name, target, seed));
        let mut numbers = Numbers::of(name.as_bytes());
        let (seeded, mut damaged) = (begin.elapsed(), 0u64);
        let (begin, time) = (Instant::now(), time());
        while time.map_or(damaged < DAMAGED, |time| begin.elapsed() < time) {
            let mut input = seeds[numbers.below(seeds.len())].clone();
            damage(&mut input, &seeds[numbers.below(seeds.len())], &mut numbers);
            run(name, target, &input);
            damaged += 1;
        }
        println!("{name}: {} seeds in {seeded:.1?}, {damaged} damaged", seeds.len());
    }
}

#[test]
fn every_finding_belongs_to_a_target() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/findings");
    let mut findings = 0;
    for entry in fs::read_dir(folder).expect("the findings") {
        let entry = entry.expect("an entry");
        assert!(TARGETS.iter().any(|(name, _)| entry.file_name() == *name), "{entry:?}");
        findings += fs::read_dir(entry.path()).expect("a folder").count();
    }
    assert_ne!(findings, 0);
}

/// `findings/TARGET/*`: each was one, and is none any more. With `ONEWRITE_FUZZ_CORPUS` also
/// `corpus/TARGET/*`, what libFuzzer has learned here, if it ran.
#[test]
fn what_is_kept_breaks_nothing() {
    let only = env::var("ONEWRITE_FUZZ_TARGET").ok();
    for (name, target) in TARGETS {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let corpus = env::var_os("ONEWRITE_FUZZ_CORPUS").map(|_| "corpus");
        for kept in ["findings"].into_iter().chain(corpus) {
            let folder = format!("{}/{kept}/{name}", env!("CARGO_MANIFEST_DIR"));
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                match fs::read(&path) {
                    Ok(input) => run(name, target, &input),
                    // One of a corpus may be replaced at any time by libFuzzer, if it runs.
                    Err(_) if kept == "corpus" => {}
                    Err(error) => panic!("{}: {error}", path.display()),
                }
            }
        }
    }
}
