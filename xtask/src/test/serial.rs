//! An emulated board at the other end of a line, and what it said again over a bad one.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use rustix::fs::OFlags;

use super::Outcome;
use crate::process::Background;
use crate::progress::Tally;
use crate::qemu::Boot;
use crate::serial::damage::{Noise, damage};
use crate::serial::{Serial, pseudo};
use crate::setup;
use crate::throughput::Report;
use crate::throughput::uart::{Firmware, Listener, Patience};
use crate::toolchain::Place;

const PATIENCE: Patience =
    Patience { limit: Duration::from_secs(120), silence: Duration::from_secs(60) };

/// Runs over a bad line; cases cross-04 d and pi-03 at our end of it.
const RUNS: u64 = 1000;

/// The report of an emulated board arrives through a line, and over a bad line it arrives as it is
/// or with an error.
pub(super) fn reports_arrive(yes: bool) -> Outcome {
    setup::ensure(setup::needs_of(Place::Bare), yes)?;
    let firmware = Firmware::new("onewrite", "throughput", None, yes)?;

    // Nobody listens to semihosting: it ends as on a board.
    let mut command = Boot::Halt.command(firmware.elf(), firmware.elf());
    command.args(["-serial", "stdio"]).stdin(Stdio::null());
    let (original, bytes) = hear(&firmware, &mut command)?;
    println!("a report of {} samples over a line ... ok", original.samples.len());

    let remark = over_a_bad_line(&firmware, &original, &bytes)?;
    println!("{remark} ... ok");
    Ok((Tally { passed: 2, ..Tally::default() }, format!("; {remark}")))
}

/// Listens at a line to an emulated board, and returns its report and every byte of it.
fn hear(firmware: &Firmware, emulator: &mut Command) -> Result<(Report, Vec<u8>)> {
    let (mut board, device) = pseudo::terminal()?;
    // A line that nobody reads must not hold up who would end the emulator.
    rustix::fs::fcntl_setfl(&board, OFlags::RDWR | OFlags::NONBLOCK)?;
    let mut listener = Listener::open(Serial::open(&device)?, firmware)?;
    let mut emulator = Background::start(emulator)?;
    thread::scope(|scope| {
        let (listens, listening) = mpsc::channel::<()>();
        // Until the other end of the channel is gone, whatever becomes of who listens.
        let line = scope.spawn(move || -> Result<Background> {
            let mut sent = 0;
            while listening.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                match board.write(&emulator.stdout_after(sent)) {
                    Ok(count) => sent += count,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error).context("the line broke"),
                }
            }
            emulator.end()?;
            Ok(emulator)
        });
        let heard = listener.report(PATIENCE).and_then(|report| match report {
            Ok(report) => Ok((report, listener.end(PATIENCE)?)),
            Err(reason) => bail!("{reason}"),
        });
        drop(listens);
        let emulator = line.join().ok().context("the line broke")??;
        let (report, code) = heard.with_context(|| {
            format!("the emulated board; {}", String::from_utf8_lossy(&emulator.stderr()))
        })?;
        if code != 0 || report.fact("label") != Some("qemu-icount") {
            bail!("exit code {code}, label {:?}", report.fact("label"));
        }
        Ok((report, emulator.stdout()))
    })
}

/// How long the line waits for more of the board.
const PAUSE: Duration = Duration::from_millis(2);

/// Sends what the board has said many times over, mostly harmed.
fn over_a_bad_line(firmware: &Firmware, original: &Report, bytes: &[u8]) -> Result<String> {
    // Every frame with its zero; the one in front of the first frame belongs to it.
    let (zero, rest) = bytes.split_at_checked(1).context("the board said nothing")?;
    let mut frames: Vec<Vec<u8>> =
        rest.split_inclusive(|&byte| byte == 0).map(<[u8]>::to_vec).collect();
    let first = frames.first_mut().context("no frame")?;
    first.splice(0..0, zero.iter().copied());

    let mut noise = Noise(0x5eed);
    let (mut pieces, mut runs, mut end) = (Vec::new(), Vec::new(), 0);
    for number in 0..=RUNS {
        let mut run = frames.clone();
        // Nothing happens to the last one, so that the end is seen.
        let harmed = number < RUNS && damage(&mut run, &mut noise);
        let piece = run.concat();
        end += piece.len() as u64;
        runs.push(Run { end, harmed, whole: 0, errors: 0 });
        pieces.push(piece);
    }

    let (mut board, device) = pseudo::terminal()?;
    let mut listener = Listener::open(Serial::open(&device)?, firmware)?.quiet();
    let play: JoinHandle<std::io::Result<File>> = thread::spawn(move || {
        for piece in &pieces {
            let (one, two) = piece.split_at(noise.below(piece.len()));
            board.write_all(one)?;
            thread::sleep(Duration::from_millis(noise.next() % 4));
            board.write_all(two)?;
        }
        Ok(board)
    });
    while runs.last().is_some_and(|last| last.whole == 0) {
        let heard = listener.report(PATIENCE)?;
        let at = listener.taken();
        let run = runs.iter_mut().find(|run| at <= run.end).context("more than was sent")?;
        match heard {
            Ok(report) if report == *original => run.whole += 1,
            Ok(_) => bail!("a report was taken for whole that is not what was sent"),
            Err(reason) if reason.contains("is not whole") => run.errors += 1,
            Err(reason) => bail!("{reason}"),
        }
    }
    drop(play.join().ok().context("the line broke")??);
    let (whole, broken) = judge(&runs)?;
    Ok(format!("{RUNS} runs over a bad line: {} whole, {broken} with an error", whole - 1))
}

/// One run of the board over a bad line.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// As many bytes had been sent when it ended.
    end: u64,
    /// Whether what happened to it may have cost the report.
    harmed: bool,
    /// How often a whole report was heard in its bytes, and an error.
    whole: u32,
    errors: u32,
}

/// Each run has to be heard whole, or harmed and followed by an error; returns how many were and
/// how many were not.
///
/// Errors of one run say nothing of another one: what is lost of a run is noticed in its own bytes
/// or, where its end is missing, in those of the next.
fn judge(runs: &[Run]) -> Result<(usize, usize)> {
    for (number, run) in runs.iter().enumerate() {
        let next = runs.get(number + 1).map_or(0, |next| next.errors);
        match run {
            Run { whole: 1, .. } => {}
            Run { whole: 0, harmed: true, errors, .. } if errors + next > 0 => {}
            Run { whole: 0, harmed: true, .. } => bail!("run {number} is lost without an error"),
            Run { whole: 0, .. } => bail!("run {number} is lost, and nothing had happened to it"),
            Run { whole, .. } => bail!("run {number} was heard {whole} times"),
        }
    }
    let whole = runs.iter().filter(|run| run.whole == 1).count();
    let broken = runs.len() - whole;
    if whole == 0 || broken == 0 {
        bail!("{whole} reports came whole and {broken} did not: nothing is shown by that");
    }
    Ok((whole, broken))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn run(harmed: bool, whole: u32, errors: u32) -> Run {
        Run { end: 0, harmed, whole, errors }
    }

    #[test]
    fn an_error_of_one_run_does_not_hide_the_loss_of_another() {
        let (whole, lost) = (run(false, 1, 0), run(true, 0, 1));
        assert_eq!(judge(&[whole, lost, whole]).unwrap(), (2, 1));
        // Noticed when the next one began.
        assert_eq!(judge(&[run(true, 0, 0), run(false, 1, 1)]).unwrap(), (1, 1));
        let error = |runs: &[Run]| judge(runs).unwrap_err().to_string();
        let silent = [run(true, 0, 2), whole, run(true, 0, 0), whole];
        assert_eq!(error(&silent), "run 2 is lost without an error");
        assert!(error(&[run(false, 0, 1), whole]).contains("nothing had happened to it"));
        assert_eq!(error(&[run(true, 2, 0), lost]), "run 0 was heard 2 times");
        assert!(error(&[whole, whole]).contains("nothing is shown"));
    }
}
