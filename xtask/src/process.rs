//! Child processes: run, capture, tee, end after a time limit; a failure shows the command line.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// How a child ended that had a time limit.
#[derive(Debug)]
pub(crate) enum End {
    /// By itself.
    Exited(ExitStatus),
    /// It was still running after this long and was ended.
    TimedOut(Duration),
}

/// Runs a child on our own terminal and fails when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = spawn(command)?.wait()?;
    check(command, status)
}

/// Runs a child without showing what it writes; the text is its standard output.
///
/// A failure carries the command line and everything the child wrote to standard error.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = spawn(command)?.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!("{}: {}\n{}", show(command), ended(output.status), complaint.trim_end());
    }
    Ok(text)
}

/// Runs a child, shows its standard output as it comes, and keeps a copy of it.
pub(crate) fn tee(command: &mut Command) -> Result<(ExitStatus, String)> {
    let mut child = spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()))?;
    let mut copy = String::new();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            // Whoever reads our output may have gone; the child's result still counts.
            let _ = writeln!(std::io::stdout(), "{line}");
            copy.push_str(&line);
            copy.push('\n');
        }
    }
    Ok((child.wait()?, copy))
}

/// Runs a child with both outputs captured and ends it when it takes longer than `limit`.
///
/// Returns how it ended, its standard output and its standard error.
pub(crate) fn capture_within(
    command: &mut Command,
    limit: Duration,
) -> Result<(End, Vec<u8>, Vec<u8>)> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawn(command)?;
    let stdout = child.stdout.take().map(|pipe| thread::spawn(move || read_all(pipe)));
    let stderr = child.stderr.take().map(|pipe| thread::spawn(move || read_all(pipe)));
    let end = wait_within(&mut child, limit)?;
    let collect = |reader: Option<thread::JoinHandle<Vec<u8>>>| {
        reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
    };
    Ok((end, collect(stdout), collect(stderr)))
}

/// Waits for a child and ends it when it takes longer than `limit`.
fn wait_within(child: &mut Child, limit: Duration) -> Result<End> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(End::Exited(status));
        }
        if start.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(End::TimedOut(limit));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn read_all(mut pipe: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What was read before an error is what there is to show.
    let _ = pipe.read_to_end(&mut bytes);
    bytes
}

/// Fails when a child failed, with its command line.
pub(crate) fn check(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("{}: {}", show(command), ended(status));
    }
    Ok(())
}

/// Starts a child; a program that is not installed is named.
pub(crate) fn spawn(command: &mut Command) -> Result<Child> {
    command
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))
        .with_context(|| show(command))
}

/// How a child ended, in words.
pub(crate) fn ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => format!("{status}"),
    }
}

/// The command line with the variables set for it, ready to be pasted into a shell.
pub(crate) fn show(command: &Command) -> String {
    let mut line = String::new();
    for (name, value) in command.get_envs() {
        // The search path is long and rarely the reason.
        if let Some(value) = value.filter(|_| name != "PATH") {
            let _ = write!(line, "{}={} ", name.to_string_lossy(), quote(value));
        }
    }
    line.push_str(&quote(command.get_program()));
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&quote(argument));
    }
    line
}

fn quote(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into_owned();
    }
    // A separator that no terminal shows: the flags of CARGO_ENCODED_RUSTFLAGS.
    let word = word.replace('\x1f', "\\x1f").replace('\'', "'\\''");
    format!("'{word}'")
}

/// The first program of that name on the search path.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file() || file.with_extension("exe").is_file()
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_failing_child_is_shown_with_its_command_line() {
        let error = run(Command::new("sh").args(["-c", "exit 7"])).unwrap_err();
        assert_eq!(error.to_string(), "sh -c 'exit 7': exit code 7");
    }

    #[test]
    fn a_captured_failure_carries_what_the_child_said() {
        let error =
            capture(Command::new("sh").args(["-c", "echo broken >&2; exit 1"])).unwrap_err();
        assert!(error.to_string().ends_with("exit code 1\nbroken"), "{error}");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(&mut Command::new("no-such-program-7")).unwrap_err();
        assert!(format!("{error:#}").contains("cannot start no-such-program-7"), "{error:#}");
    }

    #[test]
    fn a_hung_child_is_ended_and_its_output_kept() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo started; exec sleep 60"]);
        let limit = Duration::from_millis(300);
        let start = Instant::now();
        let (end, stdout, _) = capture_within(&mut command, limit).unwrap();
        assert!(matches!(end, End::TimedOut(after) if after == limit));
        assert_eq!(stdout, b"started\n");
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        let mut command = Command::new("cargo");
        command.env("FLAGS", "-Ca\x1f-Cb").args(["it's", "", "plain=1"]);
        assert_eq!(show(&command), "FLAGS='-Ca\\x1f-Cb' cargo 'it'\\''s' '' plain=1");
    }
}
