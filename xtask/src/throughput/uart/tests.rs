//! A board that a thread plays, at the other end of a pseudoterminal.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]

use std::fs::File;
use std::io::Write as _;
use std::thread;

use super::*;
use crate::log::fixture::{Program, hex};
use crate::serial::damage::{Noise, damage};
use crate::serial::pseudo;
use crate::throughput::protocol::Sum;

const PATIENCE: Patience =
    Patience { limit: Duration::from_secs(60), silence: Duration::from_secs(20) };

fn firmware(program: &Program) -> Firmware {
    Firmware::of("firmware.elf".into(), &program.elf(), None).unwrap()
}

/// A run of the board: what it says first, a report with this number, and its last words.
fn run(program: &Program, number: u64) -> Vec<Vec<u8>> {
    let mut lines = vec!["onewrite-report 3".to_owned(), "env label: pi".to_owned()];
    lines.push(format!("env build id: {}", hex(&program.build)));
    for round in 0..5 {
        let ns = 1_000_000 + number * 1000 + round;
        lines.push(format!("sample t in_place bytes=244 records=8 round={round} reps=2 ns={ns}"));
    }
    lines.push(format!("env-after number: {number}"));
    let mut sum = Sum::default();
    for line in &lines {
        sum.add(line);
    }
    lines.push(sum.end());
    lines.push("halted with exit code 0".to_owned());
    let mut frames = vec![[vec![0], program.build_frame()].concat()];
    frames.extend(lines.iter().map(|line| program.frame(line)));
    frames
}

fn number(report: &Report) -> u64 {
    let (_, number) = report.environment_after.iter().find(|(key, _)| key == "number").unwrap();
    number.parse().unwrap()
}

/// Lets a thread play the board while we listen.
fn listening<T>(
    firmware: &Firmware,
    play: impl FnOnce(&mut File) + Send + 'static,
    listen: impl FnOnce(&mut Listener<'_>) -> T,
) -> T {
    let (mut board, device) = pseudo::terminal().unwrap();
    let mut listener = Listener::open(Serial::open(&device).unwrap(), firmware).unwrap();
    // The board's end is closed when we have read all, and not when it has played: what is on its
    // way may be dropped. Nobody waits for a board to which a failed test does not listen.
    let played = thread::spawn(move || {
        play(&mut board);
        board
    });
    let heard = listen(&mut listener);
    drop(played.join().unwrap());
    heard
}

fn error(heard: Result<Result<Report, String>>) -> String {
    match heard {
        Ok(Ok(report)) => panic!("a whole report: {report:?}"),
        Ok(Err(reason)) => reason,
        Err(error) => format!("{error:#}"),
    }
}

#[test]
fn reports_follow_each_other_without_a_new_start() {
    let program = Program::default();
    let firmware = firmware(&program);
    let play = move |board: &mut File| {
        for number in 0..3 {
            board.write_all(&run(&program, number).concat()).unwrap();
        }
    };
    let heard = listening(&firmware, play, |listener| {
        (0..3).map(|_| number(&listener.report(PATIENCE).unwrap().unwrap())).collect::<Vec<_>>()
    });
    assert_eq!(heard, [0, 1, 2]);
}

#[test]
fn what_is_wrong_with_a_report_is_said_in_the_end_and_not_before_the_others() {
    let program = Program::default();
    let firmware = firmware(&program);
    let taking = |count: u32, wrong: &'static [u64]| {
        let program = program.clone();
        let play = move |board: &mut File| {
            for number in 0..u64::from(count) {
                board.write_all(&run(&program, number).concat()).unwrap();
            }
        };
        let mut presented = Vec::new();
        let ended = listening(&firmware, play, |listener| {
            take(listener, count, PATIENCE, &mut |report| {
                let number = number(&report);
                presented.push(number);
                if wrong.contains(&number) { bail!("in_place {number} got worse") } else { Ok(()) }
            })
        });
        (presented, ended.map_err(|error| error.to_string()))
    };
    assert_eq!(taking(3, &[]), (vec![0, 1, 2], Ok(())));
    // A regression at the first one.
    let (presented, ended) = taking(3, &[0, 2]);
    assert_eq!(presented, [0, 1, 2]);
    let why =
        "2 of 3 reports failed: report 1: in_place 0 got worse; report 3: in_place 2 got worse";
    assert_eq!(ended.unwrap_err(), why);
    // A single one is its own error.
    assert_eq!(taking(1, &[0]).1.unwrap_err(), "in_place 0 got worse");
}

#[test]
fn a_board_that_says_nothing_is_given_up_with_advice() {
    let short = Patience { limit: Duration::from_millis(50), ..PATIENCE };
    let heard = listening(&firmware(&Program::default()), |_| {}, |l| error(l.report(short)));
    assert!(heard.contains("the time was over; no byte has come: power, the card"), "{heard}");
}

#[test]
fn silence_in_the_middle_is_an_error_about_that_report() {
    let program = Program::default();
    let firmware = firmware(&program);
    let play = move |board: &mut File| board.write_all(&run(&program, 0)[..4].concat()).unwrap();
    let short = Patience { silence: Duration::from_millis(50), ..PATIENCE };
    let heard = listening(&firmware, play, |listener| error(listener.report(short)));
    assert!(heard.contains("report 1 is not whole after 3 lines"), "{heard}");
    assert!(heard.contains("said nothing for 0.05 s in the middle of it"), "{heard}");
}

#[test]
fn a_report_that_never_ends_is_given_up() {
    let program = Program::default();
    let firmware = firmware(&program);
    let play = move |board: &mut File| {
        board.write_all(&run(&program, 0)[..4].concat()).unwrap();
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(1) {
            board.write_all(&[0x55, 0]).unwrap();
            thread::sleep(Duration::from_millis(5));
        }
    };
    let short = Patience { limit: Duration::from_millis(500), ..PATIENCE };
    let heard = listening(&firmware, play, |listener| error(listener.report(short)));
    assert!(heard.contains("the time was over in the middle of it"), "{heard}");
}

#[test]
fn a_line_that_is_pulled_out_is_named() {
    let program = Program::default();
    let (mut board, device) = pseudo::terminal().unwrap();
    let firmware = firmware(&program);
    let mut listener = Listener::open(Serial::open(&device).unwrap(), &firmware).unwrap();
    board.write_all(&run(&program, 0)[..4].concat()).unwrap();
    // Read it before it may be dropped.
    while !listener.assembly.is_open() {
        let said = listener.next(PATIENCE.silence, Instant::now() + PATIENCE.limit, None);
        listener.assembly.take(&said.unwrap().unwrap());
    }
    drop(board);
    let heard = error(listener.report(PATIENCE));
    assert!(heard.contains(&format!("{} is gone", device.display())), "{heard}");
    let heard = error(listener.report(PATIENCE));
    assert!(heard.contains("is gone"), "{heard}");
}

#[test]
fn another_build_on_the_card_ends_the_wait_at_once() {
    // Case cross-04 b, over the line.
    let program = Program::default();
    let other = firmware(&Program { build: [7; 20], ..program.clone() });
    let play = move |board: &mut File| board.write_all(&run(&program, 0).concat()).unwrap();
    let heard = listening(&other, play, |listener| error(listener.report(PATIENCE)));
    assert!(heard.contains("write the card again"), "{heard}");
}

#[test]
fn what_is_no_log_is_described() {
    let short = Patience { limit: Duration::from_millis(300), ..PATIENCE };
    let firmware = firmware(&Program::default());
    let hear = |bytes: &'static [u8]| {
        let play = move |board: &mut File| board.write_all(bytes).unwrap();
        listening(&firmware, play, |listener| error(listener.report(short)))
    };
    let text = hear(b"Linux version 6.1\r\nlogin: ");
    assert!(text.contains("which are text") && text.contains("Linux version"), "{text}");
    let noise = hear(&[0xf8, 0x80, 0x00, 0x9e, 0xe0]);
    assert!(noise.contains("none of them could be read") && noise.contains("f8 80 00"), "{noise}");
}

#[test]
fn an_elf_file_without_a_build_id_is_refused() {
    let stripped = Program { note: false, ..Program::default() };
    let error = Firmware::of("a.elf".into(), &stripped.elf(), None).unwrap_err().to_string();
    assert!(
        error.contains("a.elf has no build id") && error.contains("--build-id=sha1"),
        "{error}"
    );
}

#[test]
fn of_a_thousand_reports_none_is_lost_without_an_error() {
    // Case cross-04 d, and pi-03 at our end: what is garbled on the way is noticed.
    const REPORTS: u64 = 1000;
    let program = Program::default();
    let firmware = firmware(&program);
    let mut noise = Noise(0x5eed);
    let mut may_be_lost = Vec::new();
    let mut pieces = Vec::new();
    for number in 0..REPORTS {
        let mut frames = run(&program, number);
        let harmed = noise.below(2) == 0 && damage(&mut frames, &mut noise);
        may_be_lost.push(harmed);
        pieces.push(frames.concat());
    }
    // One that nothing happens to, so that the end is seen.
    pieces.push(run(&program, REPORTS).concat());

    let play = move |board: &mut File| {
        for piece in &pieces {
            // In two parts, with a pause between them now and then.
            let (one, two) = piece.split_at(noise.below(piece.len()));
            board.write_all(one).unwrap();
            if noise.below(8) == 0 {
                thread::sleep(Duration::from_millis(1 + noise.next() % 5));
            }
            board.write_all(two).unwrap();
        }
    };
    let (mut whole, mut errors, mut next) = (0, 0, 0);
    listening(&firmware, play, |listener| {
        while next <= REPORTS {
            match listener.report(PATIENCE).unwrap() {
                Ok(report) => {
                    let number = number(&report);
                    assert!(number >= next, "{number} after {next}");
                    // Each one in between was harmed, and something was said of it.
                    let lost = next..number;
                    let count = number - next;
                    assert!(lost.clone().all(|lost| may_be_lost[lost as usize]), "{lost:?}");
                    assert!(count == 0 || errors != 0, "{lost:?} are lost without an error");
                    // What was accepted is what was sent.
                    for (round, sample) in (0..).zip(&report.samples) {
                        assert_eq!(sample.cost.ns, Some(1_000_000 + number * 1000 + round));
                    }
                    assert_eq!(report.samples.len(), 5);
                    whole += 1;
                    errors = 0;
                    next = number + 1;
                }
                Err(reason) => {
                    assert!(reason.contains("not whole"), "{reason}");
                    errors += 1;
                }
            }
        }
    });
    let harmed = may_be_lost.iter().filter(|harmed| **harmed).count();
    println!("{REPORTS} reports, {harmed} harmed, {} of them not whole", REPORTS + 1 - whole);
    assert!(harmed > 200 && whole > REPORTS / 2 && whole < REPORTS);
}

#[test]
fn a_console_is_printed_to_the_end_of_the_run() {
    let program = Program::default();
    let firmware = firmware(&program);
    let print = |frames: Vec<Vec<u8>>| {
        let (mut board, device) = pseudo::terminal().unwrap();
        let played = thread::spawn(move || {
            // Not before somebody listens.
            thread::sleep(Duration::from_millis(300));
            board.write_all(&frames.concat()).unwrap();
            board
        });
        let printed =
            print_console(Serial::open(&device).unwrap(), &firmware, Duration::from_secs(5));
        drop(played.join().unwrap());
        printed.map_err(|error| error.to_string())
    };
    let end = |code: u8| program.frame(&format!("halted with exit code {code}"));
    let whole = vec![program.build_frame(), program.frame("hello"), end(0)];
    assert_eq!(print(whole.clone()), Ok(()));
    let failed = vec![program.build_frame(), end(7)];
    assert_eq!(print(failed).unwrap_err(), "the firmware ended with exit code 7");
    let noise = [vec![vec![0x55, 0]; 2], whole].concat();
    assert!(print(noise).unwrap_err().contains("2 frames could not be read"));
}
