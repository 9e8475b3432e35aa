//! An emulated board at the other end of a line, and what it said again over a bad one.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::{Outcome, Tally};
use crate::process;
use crate::qemu::Boot;
use crate::serial::damage::{Noise, damage};
use crate::serial::pseudo;
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

    let (mut board, device) = pseudo::terminal()?;
    let mut listener = Listener::open(&device, &firmware)?;
    // Nobody listens to semihosting: it ends as on a board.
    let mut command = Boot::Halt.command(firmware.elf(), firmware.elf());
    command.args(["-serial", "stdio"]).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut emulator = Emulator(process::spawn(&mut command)?);
    let mut console = emulator.0.stdout.take().context("no pipe")?;
    let copy: JoinHandle<Result<Vec<u8>>> = thread::spawn(move || {
        let (mut all, mut bytes) = (Vec::new(), [0; 1024]);
        while let count @ 1.. = console.read(&mut bytes)? {
            let bytes = bytes.get(..count).unwrap_or_default();
            board.write_all(bytes)?;
            all.extend(bytes);
        }
        Ok(all)
    });
    let original = match listener.report(PATIENCE)? {
        Ok(report) => report,
        Err(reason) => bail!("the emulated board: {reason}"),
    };
    let code = listener.end(PATIENCE)?;
    drop(emulator);
    let bytes = copy.join().ok().context("the line broke")??;
    if code != 0 || original.fact("label") != Some("qemu-icount") {
        bail!("exit code {code}, label {:?}", original.fact("label"));
    }
    println!("a report of {} samples over a line ... ok", original.samples.len());

    let remark = over_a_bad_line(&firmware, &original, &bytes)?;
    println!("{remark} ... ok");
    Ok((Tally { passed: 2, ..Tally::default() }, format!("; {remark}")))
}

/// Ends the emulator, which does not by itself, whatever becomes of us.
struct Emulator(Child);

impl Drop for Emulator {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sends what the board has said many times over, mostly harmed.
fn over_a_bad_line(firmware: &Firmware, original: &Report, bytes: &[u8]) -> Result<String> {
    // Every frame with its zero; the one in front of the first frame belongs to it.
    let (zero, rest) = bytes.split_at_checked(1).context("the board said nothing")?;
    let mut frames: Vec<Vec<u8>> =
        rest.split_inclusive(|&byte| byte == 0).map(<[u8]>::to_vec).collect();
    let first = frames.first_mut().context("no frame")?;
    first.splice(0..0, zero.iter().copied());

    let mut noise = Noise(0x5eed);
    let (mut pieces, mut unharmed) = (Vec::new(), 0);
    for _ in 0..RUNS {
        let mut run = frames.clone();
        let harmed = damage(&mut run, &mut noise);
        unharmed += u64::from(!harmed);
        pieces.push(run.concat());
    }
    // One that nothing happens to, so that the end is seen.
    pieces.push(frames.concat());

    let (mut board, device) = pseudo::terminal()?;
    let mut listener = Listener::open(&device, firmware)?.quiet();
    let play: JoinHandle<std::io::Result<File>> = thread::spawn(move || {
        for piece in &pieces {
            let (one, two) = piece.split_at(noise.below(piece.len()));
            board.write_all(one)?;
            thread::sleep(Duration::from_millis(noise.next() % 4));
            board.write_all(two)?;
        }
        Ok(board)
    });
    let (mut whole, mut broken) = (0, 0);
    while whole + broken <= RUNS {
        match listener.report(PATIENCE)? {
            Ok(report) if report == *original => whole += 1,
            Ok(_) => bail!("a report was taken for whole that is not what was sent"),
            Err(reason) if reason.contains("is not whole") => broken += 1,
            Err(reason) => bail!("{reason}"),
        }
    }
    drop(play.join().ok().context("the line broke")??);
    // Whatever was harmed at its very edge may have come whole.
    if whole < unharmed + 1 || broken == 0 {
        bail!("{whole} reports came whole and {broken} did not, but {unharmed} were not harmed");
    }
    Ok(format!("{RUNS} runs over a bad line: {} whole, {broken} with an error", whole - 1))
}
