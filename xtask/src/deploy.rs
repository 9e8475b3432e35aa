//! `cargo xtask deploy USER@HOST`: a program goes to a board over plain ssh, and runs there.
//!
//! Three connections: the board says what it is, the program is copied under another name,
//! compared and renamed, and it runs. Whatever fails in between leaves the old program in place.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context as _, Result, bail};

use crate::firmware::Build;
use crate::process::Background;
use crate::progress::say;
use crate::setup::{self, Need};
use crate::ssh::{Destination, MARK, Options, Session, Trouble};
use crate::throughput;
use crate::toolchain::{Place, Toolchain};

mod board;
mod program;

pub(crate) use board::Board;
pub(crate) use program::Program;

/// Where a program goes, and what happens to it there.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
The board needs an ssh server, a usual login shell, and coreutils or busybox. Nothing is asked for:
your key has to be accepted there (ssh-copy-id USER@HOST) and the host key has to be known.
ONEWRITE_SSH replaces the client: ONEWRITE_SSH='ssh -F FILE'.

Exit code: 0 installed (and ended with 0), 1 anything else, 2 wrong usage.")]
pub(crate) struct Arguments {
    /// The board: USER@HOST or USER@HOST:PORT.
    #[arg(value_name = "USER@HOST")]
    destination: Destination,
    /// The example of the package onewrite to build, static, for aarch64 Linux.
    #[arg(long, value_name = "NAME", default_value = "throughput")]
    example: String,
    /// Install this program instead of an example.
    #[arg(long, value_name = "FILE", conflicts_with = "example")]
    program: Option<PathBuf>,
    /// The folder on the board, made if it is missing; from the login folder where relative.
    #[arg(long, value_name = "DIR", default_value = "onewrite", allow_hyphen_values = true)]
    to: String,
    /// Run it, with the arguments after --, on one core.
    #[arg(long)]
    run: bool,
    /// The core to run on; the last one by default, which Linux gives the fewest interrupts.
    #[arg(long, value_name = "N", requires = "run")]
    core: Option<u32>,
    /// Keep what it prints in this file too, once it has ended well and all of it is here.
    #[arg(long, value_name = "FILE", requires = "run")]
    save: Option<PathBuf>,
    /// End the run after this many seconds.
    #[arg(long, default_value_t = 600)]
    limit: u64,
    #[command(flatten)]
    ssh: Options,
    /// Arguments of the program.
    #[arg(last = true, requires = "run")]
    arguments: Vec<String>,
}

/// The command itself.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<()> {
    let session = Session::new(arguments.destination.clone(), &arguments.ssh)?;
    setup::ensure(&[Need::SshClient], yes)?;
    let file = match &arguments.program {
        Some(file) => file.clone(),
        None => build(&arguments.example, yes)?,
    };
    let place = install(&session, &file, &arguments.to)?;
    if !arguments.run {
        return Ok(());
    }
    let keep = arguments.save.as_deref().map(Kept::prepare).transpose()?;
    let job = Job {
        arguments: arguments.arguments.clone(),
        core: arguments.core.or(place.board.last_core),
        limit: Duration::from_secs(arguments.limit),
    };
    let mut shown = 0;
    let output = place.run(&session, &job, &mut |child| {
        let new = child.stdout_after(shown);
        shown += new.len();
        // Whoever reads our output may have gone; the program's result still counts.
        let _ = std::io::stdout().write_all(&new).and_then(|()| std::io::stdout().flush());
    })?;
    throughput::check_report(&String::from_utf8_lossy(&output))
        .context("the program ended well, but its report is not whole")?;
    match keep {
        Some(kept) => kept.finish(&output),
        None => Ok(()),
    }
}

/// Builds an example as any aarch64 Linux runs it.
pub(crate) fn build(example: &str, yes: bool) -> Result<PathBuf> {
    setup::ensure(&[Need::LinuxCompiler, Need::CrossLinker], yes)?;
    Build::example(example).build_static(&Toolchain::for_place(Place::Linux)?)
}

/// A program in its place on a board.
#[derive(Debug)]
pub(crate) struct Installed {
    pub(crate) board: Board,
    folder: String,
    name: String,
}

/// How an installed program is to run.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) arguments: Vec<String>,
    /// The only core it may run on.
    pub(crate) core: Option<u32>,
    /// Ended after this time.
    pub(crate) limit: Duration,
}

/// Checks the board, then copies the program into `folder` there, whole or not at all.
pub(crate) fn install(session: &Session, file: &Path, folder: &str) -> Result<Installed> {
    let to = session.destination();
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.context("the program's own name is no text")?.to_owned();
    let program = Program::read(file)?;
    let folder = anchored(folder)?;
    let board = Board::ask(session, &folder, &program)?;
    say(format_args!("{to}: {}", board.summary()));
    board.accept(&program, &folder).with_context(|| to.to_string())?;

    let kib = program.bytes.len().div_ceil(1024);
    say(format_args!("{to}: copying {name}, {kib} KiB"));
    let start = Instant::now();
    let waiting = temporary(&name);
    let script = include_str!("deploy/install.sh");
    let Program { bytes, sha256, .. } = program;
    let words = [folder.as_str(), name.as_str(), waiting.as_str(), sha256.as_str()];
    let answer = session.run(script, &words, Some(bytes), COPY_LIMIT, &mut |_| {});
    if answer.as_ref().is_err_and(anyhow::Error::is::<Trouble>) {
        // The board removes it by itself, unless it noticed nothing.
        let remove = "cd -- \"$1\" && rm -f -- \"./$2\"";
        let _ = session.run(remove, &[&folder, &waiting], None, CLEAN_LIMIT, &mut |_| {});
    }
    let answer = answer.context("nothing was installed")?;
    let said = String::from_utf8_lossy(&answer.stdout);
    let mut done = said.lines().filter_map(|line| line.strip_prefix("installed="));
    if !answer.status.success() || done.next_back() != Some(sha256.as_str()) {
        let reason = said.lines().filter_map(|line| line.strip_prefix("failed=")).next_back();
        let complaint = answer.stderr.trim();
        bail!(
            "{to}: nothing was installed in {folder:?}: {}{}{complaint}",
            reason.unwrap_or("the board did not say that it is in place"),
            if complaint.is_empty() { "" } else { ": " },
        );
    }
    let seconds = start.elapsed().as_secs_f64();
    say(format_args!("{to}: installed {folder}/{name} in {seconds:.1} s"));
    Ok(Installed { board, folder, name })
}

/// A copy that takes longer has a link slower than 10 KB/s, or none.
const COPY_LIMIT: Duration = Duration::from_secs(600);
const CLEAN_LIMIT: Duration = Duration::from_secs(15);

/// The folder as no program there can take it for an option.
fn anchored(folder: &str) -> Result<String> {
    let folder = folder.strip_prefix("~/").unwrap_or(folder);
    if folder.is_empty() || folder == "~" {
        bail!("--to needs the name of a folder; ./ is the login folder");
    }
    let absolute = folder.starts_with('/') || folder.starts_with("./");
    Ok(if absolute { folder.to_owned() } else { format!("./{folder}") })
}

/// A name that nobody else uses at the same time.
fn temporary(name: &str) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!(".{name}.{}-{}", std::process::id(), now.as_nanos())
}

impl Installed {
    /// Runs the program and returns all of its standard output, compared with the board's own sum
    /// of it. What it writes to standard error is shown as it comes.
    ///
    /// `watch` sees the child's outputs while it runs.
    pub(crate) fn run(
        &self,
        session: &Session,
        job: &Job,
        watch: &mut dyn FnMut(&Background),
    ) -> Result<Vec<u8>> {
        let to = session.destination();
        let cores = self.mask(job.core, to);
        let seconds = job.limit.as_secs().max(1).to_string();
        let limit = if self.board.has("timeout") { seconds.as_str() } else { "" };
        let mark = temporary("run");
        let mut words = vec![self.folder.as_str(), self.name.as_str(), &cores, limit, &mark];
        words.extend(job.arguments.iter().map(String::as_str));
        say(format_args!("{to}: running {}", self.name));
        let start = Instant::now();
        let script = include_str!("deploy/run.sh");
        let mut shown = 0;
        // The board ends it in time by itself; only a link that went silent needs us.
        let answer = session.run(script, &words, None, job.limit + GRACE, &mut |child| {
            shown += show_complaints(&child.stderr_after(shown));
            watch(child);
        });
        let answer =
            answer.with_context(|| format!("the result of {} is incomplete", self.name))?;
        let end = End::read(&answer.stderr, &mark, &answer.stdout);
        end.judge(&self.name, job.limit, start.elapsed()).with_context(|| to.to_string())?;
        Ok(answer.stdout)
    }

    /// The mask of cores that `taskset` takes, or nothing.
    fn mask(&self, core: Option<u32>, to: &Destination) -> String {
        match core {
            Some(_) if !self.board.has("taskset") => {
                say(format_args!("{to}: no taskset there, the program is not kept on one core"));
                String::new()
            }
            Some(core) => format!("{:x}", 1_u128.checked_shl(core).unwrap_or(0)),
            None => String::new(),
        }
    }
}

/// How long after its limit a run's answer is waited for.
const GRACE: Duration = Duration::from_secs(20);

/// Shows whole lines that are the program's; returns how many bytes are dealt with.
fn show_complaints(new: &[u8]) -> usize {
    let Some(end) = new.iter().rposition(|&byte| byte == b'\n') else { return 0 };
    let lines = new.get(..=end).unwrap_or_default();
    for line in String::from_utf8_lossy(lines).lines() {
        if !line.is_empty() && !line.starts_with(MARK) {
            eprintln!("{line}");
        }
    }
    lines.len()
}

/// What our lines on standard error say about a run.
#[derive(Debug, Default, PartialEq, Eq)]
struct End {
    /// What the shell there says: 128 and a signal's number where one ended the program.
    status: Option<i32>,
    /// Whether all of its output is here.
    is_whole: bool,
}

impl End {
    fn read(stderr: &str, mark: &str, stdout: &[u8]) -> Self {
        let value = |key: &str| {
            let value = |line: &str| {
                let rest = line.strip_prefix(MARK)?.strip_prefix(key)?.strip_prefix(' ')?;
                rest.strip_prefix(mark)?.split_whitespace().next().map(str::to_owned)
            };
            stderr.lines().filter_map(value).next_back()
        };
        let status = value("status").and_then(|status| status.parse().ok());
        Self { status, is_whole: value("output") == Some(program::sha256(stdout)) }
    }

    /// Fails unless the program ended with 0 and everything it printed is here.
    fn judge(&self, name: &str, limit: Duration, took: Duration) -> Result<()> {
        let Some(status) = self.status else {
            bail!("the result is incomplete: the board did not say how {name} ended");
        };
        match status {
            0 if self.is_whole => Ok(()),
            0 => bail!("the result is incomplete: what arrived is not what {name} printed"),
            // What `timeout` ends it with.
            137 if took >= limit => {
                bail!("{name} was still running after {} s and was ended", limit.as_secs())
            }
            126 => bail!("{name} cannot be executed there: is the file system mounted noexec?"),
            127 => bail!("{name} or its loader was not found there"),
            129..=192 => bail!("{name} was ended by signal {}", status - 128),
            _ => bail!("{name} failed with exit code {status}"),
        }
    }
}

/// A file that gets its contents in one step.
struct Kept<'a> {
    path: &'a Path,
    waiting: PathBuf,
}

impl<'a> Kept<'a> {
    /// Finds out before the run whether the file can be written.
    fn prepare(path: &'a Path) -> Result<Self> {
        let name = path.file_name().context("--save needs the name of a file")?;
        let waiting = path.with_file_name(temporary(&name.to_string_lossy()));
        fs::write(&waiting, "").with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path, waiting })
    }

    fn finish(&self, bytes: &[u8]) -> Result<()> {
        let write = fs::write(&self.waiting, bytes);
        write
            .and_then(|()| fs::rename(&self.waiting, self.path))
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        say(format_args!("wrote {}", self.path.display()));
        Ok(())
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        // Gone already where the run went well.
        let _ = fs::remove_file(&self.waiting);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn no_folder_can_be_taken_for_an_option() {
        for (folder, wanted) in [
            ("-rf", "./-rf"),
            ("bench run", "./bench run"),
            ("~/bench", "./bench"),
            ("/opt/it's", "/opt/it's"),
            ("./x", "./x"),
            ("~", ""),
            ("", ""),
        ] {
            assert_eq!(anchored(folder).unwrap_or_default(), wanted);
        }
    }

    fn verdict(stderr: &str, stdout: &[u8]) -> String {
        let end = End::read(stderr, "m", stdout);
        let judged = end.judge("p", Duration::from_secs(5), Duration::from_secs(6));
        judged.map_or_else(|error| error.to_string(), |()| "well".to_owned())
    }

    /// Case deploy-03, where the connection held: what is said of each end.
    #[test]
    fn each_end_of_a_program_is_named() {
        let sum = program::sha256(b"done\n");
        for (status, wanted) in [
            ("0", "well"),
            ("3", "failed with exit code 3"),
            ("126", "noexec"),
            ("127", "not found"),
            ("137", "still running after 5 s"),
            ("139", "ended by signal 11"),
            ("", "did not say how p ended"),
        ] {
            let stderr = format!("onewrite-status m {status}\nonewrite-output m {sum}  -\n");
            let text = verdict(&stderr, b"done\n");
            assert!(text.contains(wanted), "{status}: {text}");
        }
        let end = End { status: Some(137), is_whole: true };
        let soon = end.judge("p", Duration::from_secs(5), Duration::from_secs(1)).unwrap_err();
        assert!(soon.to_string().contains("signal 9"), "{soon}");
    }

    #[test]
    fn output_that_is_not_whole_is_no_result() {
        let sum = program::sha256(b"done\n");
        let stderr = format!("onewrite-status m 0\nonewrite-output m {sum}  -\n");
        assert_eq!(verdict(&stderr, b"done\n"), "well");
        assert!(verdict(&stderr, b"don").contains("not what p printed"));
        assert!(verdict("onewrite-status m 0\n", b"done\n").contains("incomplete"));
        // Of another run, or the program's own words.
        assert!(verdict(&stderr.replace(" m ", " n "), b"done\n").contains("did not say"));
    }
}
