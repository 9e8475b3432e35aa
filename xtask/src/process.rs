//! Child processes: run, capture, tee, end after a time limit; a failure shows the command line.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};

mod background;
mod own;

pub(crate) use background::Background;
pub(crate) use own::Own;

/// How a child ended that had a time limit.
#[derive(Debug)]
pub(crate) enum End {
    /// By itself.
    Exited(ExitStatus),
    /// What it was started for had happened, and it was ended.
    Stopped,
    /// It, or something it had started, was still running after this long and was ended.
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
    capture_until(command, limit, &|| false)
}

/// The same, and ends the child as soon as `happened` says so.
///
/// The run lasts until the child and everybody who holds its outputs have ended. The child leads a
/// group of its own, so that what it started is ended with it.
pub(crate) fn capture_until(
    command: &mut Command,
    limit: Duration,
    happened: &dyn Fn() -> bool,
) -> Result<(End, Vec<u8>, Vec<u8>)> {
    let start = Instant::now();
    let mut child = Background::start(command.stdin(Stdio::null()))?;
    let mut pause = Duration::from_millis(1);
    let end = loop {
        if let Some(status) = child.finished()? {
            break End::Exited(status);
        }
        // Asked before the limit: what has happened in time counts, however late we look.
        let end = if happened() { Some(End::Stopped) } else { None };
        let late = start.elapsed() >= limit;
        if let Some(end) = end.or(late.then_some(End::TimedOut(limit))) {
            child.end()?;
            break end;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    };
    Ok((end, child.stdout(), child.stderr()))
}

/// What a pipe has brought so far.
struct Output {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: thread::JoinHandle<()>,
}

impl Output {
    fn of(pipe: Option<impl Read + Send + 'static>) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let copy = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let mut chunk = [0; 4096];
            let Some(mut pipe) = pipe else { return };
            // What was read before an error is what there is to show.
            while let Ok(count @ 1..) = pipe.read(&mut chunk) {
                lock(&copy).extend_from_slice(chunk.get(..count).unwrap_or_default());
            }
        });
        Self { bytes, reader }
    }

    /// Whether everybody who could write to it has closed it.
    fn is_complete(&self) -> bool {
        self.reader.is_finished()
    }

    fn after(&self, skipped: usize) -> Vec<u8> {
        lock(&self.bytes).get(skipped..).unwrap_or_default().to_vec()
    }
}

/// Nobody panics with one of our locks, so what a poisoned one holds is whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child and whatever it starts.
struct Group {
    child: Child,
    /// What ends all of it.
    #[cfg(unix)]
    signal: Signal,
}

#[cfg(unix)]
impl Group {
    fn start(command: &mut Command) -> Result<Self> {
        Self::start_with(command, Signal::KILL)
    }

    /// The same for a command of ours, which has groups itself and ends them when it is told to end.
    fn start_our_own(command: &mut Command) -> Result<Self> {
        Self::start_with(command, Signal::TERM)
    }

    fn start_with(command: &mut Command, signal: Signal) -> Result<Self> {
        use std::os::unix::process::CommandExt as _;
        end_groups_with_us()?;
        let child = spawn(command.process_group(0))?;
        lock(&GROUPS).extend(Self::id_of(&child).map(|id| (id, signal)));
        Ok(Self { child, signal })
    }

    fn id_of(child: &Child) -> Option<Pid> {
        i32::try_from(child.id()).ok().and_then(Pid::from_raw)
    }

    /// Ends all of it.
    fn end(&mut self) -> Result<()> {
        if let Some(group) = Self::id_of(&self.child) {
            // An error means that there is nobody left.
            let _ = kill_process_group(group, self.signal);
        }
        self.child.wait()?;
        Ok(())
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        let id = Self::id_of(&self.child);
        lock(&GROUPS).retain(|&(group, _)| Some(group) != id);
    }
}

#[cfg(not(unix))]
impl Group {
    fn start(command: &mut Command) -> Result<Self> {
        Ok(Self { child: spawn(command)? })
    }

    fn start_our_own(command: &mut Command) -> Result<Self> {
        Self::start(command)
    }

    fn end(&mut self) -> Result<()> {
        // It may have ended in the meantime.
        let _ = self.child.kill();
        self.child.wait()?;
        Ok(())
    }
}

/// The groups that run now, and what ends each.
#[cfg(unix)]
static GROUPS: Mutex<Vec<(Pid, Signal)>> = Mutex::new(Vec::new());

/// A terminal's Ctrl-C reaches our own group only, so we pass it on.
#[cfg(unix)]
fn end_groups_with_us() -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    static WATCHED: std::sync::OnceLock<()> = std::sync::OnceLock::new();
    if WATCHED.set(()).is_err() {
        return Ok(());
    }
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    thread::spawn(move || {
        for signal in signals.forever() {
            for &(group, signal) in lock(&GROUPS).iter() {
                let _ = kill_process_group(group, signal);
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    Ok(())
}

/// Has this process end when the one that started it is gone, however that came.
pub(crate) fn end_with_parent() {
    #[cfg(target_os = "linux")]
    {
        // A system that refuses leaves it to the signals that are passed on.
        let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
    }
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

/// A word as a shell takes it, in quotes where it needs them.
pub(crate) fn quote(word: &OsStr) -> String {
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

    /// Runs a script that would take a minute; returns how it ended, what it printed, and whether
    /// that was soon.
    fn hang(script: &str, happened: &dyn Fn() -> bool) -> (End, Vec<u8>, bool) {
        let mut command = Command::new("sh");
        let (start, limit) = (Instant::now(), Duration::from_millis(300));
        let (end, stdout, _) =
            capture_until(command.args(["-c", script]), limit, happened).unwrap();
        (end, stdout, start.elapsed() < Duration::from_secs(30))
    }

    #[test]
    fn a_hung_child_is_ended_and_its_output_kept() {
        let (end, stdout, soon) = hang("echo started; exec sleep 60", &|| false);
        assert!(matches!(end, End::TimedOut(after) if after == Duration::from_millis(300)));
        assert_eq!(stdout, b"started\n");
        assert!(soon);
    }

    #[test]
    fn what_a_hung_child_started_is_ended_with_it() {
        // The second one has nobody left to wait for, and keeps the pipe open.
        for script in ["sleep 60 & echo $!; wait", "sleep 60 & echo $!"] {
            let (end, stdout, soon) = hang(script, &|| false);
            assert!(matches!(end, End::TimedOut(_)) && soon, "{script}");
            let id = String::from_utf8(stdout).unwrap().trim().parse().unwrap();
            let id = Pid::from_raw(id).unwrap();
            let gone = || rustix::process::test_kill_process(id).is_err() || is_zombie(id);
            let patience = Instant::now() + Duration::from_secs(10);
            while !gone() && Instant::now() < patience {
                thread::sleep(Duration::from_millis(5));
            }
            assert!(gone(), "{script}");
        }
    }

    /// Whether it has ended and nobody has asked for its status, where procfs knows.
    fn is_zombie(id: Pid) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero()));
        status.is_ok_and(|status| status.contains(") Z "))
    }

    #[test]
    fn who_left_the_group_is_not_waited_for() {
        if find("setsid").is_none() {
            return;
        }
        let (end, stdout, soon) = hang("echo started; setsid sleep 40 & wait", &|| false);
        assert!(matches!(end, End::TimedOut(_)) && soon);
        assert_eq!(stdout, b"started\n");
    }

    #[test]
    fn a_child_is_ended_when_it_has_done_its_part() {
        let (end, _, soon) = hang("sleep 60 & wait", &|| true);
        assert!(matches!(end, End::Stopped) && soon);
    }

    #[test]
    fn a_child_that_ends_by_itself_is_left_to() {
        let (end, stdout, _) = hang("echo done; exit 3", &|| false);
        assert!(matches!(end, End::Exited(status) if status.code() == Some(3)));
        assert_eq!(stdout, b"done\n");
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        let mut command = Command::new("cargo");
        command.env("FLAGS", "-Ca\x1f-Cb").args(["it's", "", "plain=1"]);
        assert_eq!(show(&command), "FLAGS='-Ca\\x1f-Cb' cargo 'it'\\''s' '' plain=1");
    }
}
