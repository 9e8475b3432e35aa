//! `cargo xtask deploy USER@HOST`: a program goes to a board over plain ssh, and runs there.
//!
//! Three connections: the board says what it is, the program is copied under another name,
//! compared and renamed, and it runs. Whatever fails in between leaves the old program in place.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context as _, Result, bail};

use crate::firmware::Build;
use crate::hash;
use crate::process::Background;
use crate::progress::say;
use crate::report::output;
use crate::setup::{self, Need};
use crate::ssh::{Destination, MARK, Options, Session, Trouble};
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
    /// End the run after this many seconds, a day at most.
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    limit: u64,
    #[command(flatten)]
    ssh: Options,
    /// Arguments of the program.
    #[arg(last = true, requires = "run")]
    arguments: Vec<String>,
}

/// The command itself.
///
/// `check` finds what is wrong with the output of a program that ended well.
pub(crate) fn command(
    arguments: &Arguments,
    check: fn(&str) -> Result<()>,
    yes: bool,
) -> Result<()> {
    let session = Session::new(arguments.destination.clone(), &arguments.ssh)?;
    // Whoever cannot have the result need not wait for it, and nor does who has no program.
    arguments.save.as_deref().map_or(Ok(()), output::probe)?;
    arguments.program.as_deref().map_or(Ok(()), |file| Program::read(file).map(drop))?;
    setup::ensure(&[Need::SshClient], yes)?;
    let file = match &arguments.program {
        Some(file) => file.clone(),
        None => build(&arguments.example, yes)?,
    };
    let place = install(&session, &file, &arguments.to)?;
    if !arguments.run {
        return Ok(());
    }
    let job = Job {
        arguments: arguments.arguments.clone(),
        core: arguments.core.or(place.board.last_core),
        limit: Duration::from_secs(arguments.limit),
    };
    let mut shown = 0;
    let printed = place.run(&session, &job, &mut |child| {
        let new = child.stdout_after(shown);
        shown += new.len();
        // Whoever reads our output may have gone; the program's result still counts.
        let _ = std::io::stdout().write_all(&new).and_then(|()| std::io::stdout().flush());
    })?;
    check(&String::from_utf8_lossy(&printed))
        .context("the program ended well, but its report is not whole")?;
    if let Some(file) = &arguments.save {
        output::write_bytes(file, &printed)?;
        say(format_args!("wrote {}", file.display()));
    }
    Ok(())
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
    let answer = answer.map_err(|error| {
        let known = error.downcast_ref().is_none_or(Trouble::is_before_start);
        error.context(if known { UNTOUCHED } else { UNKNOWN })
    })?;
    let said = String::from_utf8_lossy(&answer.stdout);
    let mut done = said.lines().filter_map(|line| line.strip_prefix("installed="));
    if !answer.status.success() || done.next_back() != Some(sha256.as_str()) {
        let reason = said.lines().filter_map(|line| line.strip_prefix("failed=")).next_back();
        let complaint = answer.stderr.trim();
        bail!(
            "{to}: {} ({folder:?}): {}{}{complaint}",
            if reason.is_some() { UNTOUCHED } else { UNKNOWN },
            reason.unwrap_or("the board did not say that it is in place"),
            if complaint.is_empty() { "" } else { ": " },
        );
    }
    let seconds = start.elapsed().as_secs_f64();
    say(format_args!("{to}: installed {folder}/{name} in {seconds:.1} s"));
    Ok(Installed { board, folder, name })
}

/// What there is on the board after a failure, as far as that is known here.
const UNTOUCHED: &str = "nothing was installed";
const UNKNOWN: &str =
    "the old program or the new one is in place, each of them whole; deploy again";

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
        self.run_within(session, job, job.limit + GRACE, watch)
    }

    /// The same, and gives the link up after `patience`.
    fn run_within(
        &self,
        session: &Session,
        job: &Job,
        patience: Duration,
        watch: &mut dyn FnMut(&Background),
    ) -> Result<Vec<u8>> {
        let to = session.destination();
        let cores = self.mask(job.core, to)?;
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
        let answer = session.run(script, &words, None, patience, &mut |child| {
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
    fn mask(&self, core: Option<u32>, to: &Destination) -> Result<String> {
        let Some(core) = core else { return Ok(String::new()) };
        if let Some(last) = self.board.last_core.filter(|&last| core > last) {
            bail!("{to}: there is no core {core}: the board's last core is {last}");
        }
        match 1_u128.checked_shl(core) {
            _ if !self.board.has("taskset") => {
                say(format_args!("{to}: no taskset there, the program is not kept on one core"));
                Ok(String::new())
            }
            Some(mask) => Ok(format!("{mask:x}")),
            None => bail!("{to}: core {core} is beyond what can be chosen, which is 127"),
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
        Self { status, is_whole: value("output") == Some(hash::sha256(stdout)) }
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
        let sum = hash::sha256(b"done\n");
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

    fn installed(last_core: Option<u32>) -> Installed {
        let board = Board::sketch(last_core, &["taskset"]);
        Installed { board, folder: "./onewrite".to_owned(), name: "p".to_owned() }
    }

    #[test]
    fn a_client_that_hangs_is_given_up() {
        let client = ["sh", "-c", "exec sleep 300", "ssh"].map(str::to_owned).into();
        let session =
            Session::with_client(client, "pi@board".parse().unwrap(), &Options::default());
        let job = Job { arguments: Vec::new(), core: None, limit: Duration::from_secs(1) };
        let start = Instant::now();
        let run = installed(None).run_within(&session, &job, job.limit / 4, &mut |_| {});
        let said = format!("{:#}", run.unwrap_err());
        assert!(said.contains("incomplete") && said.contains("not done after 0.25 s"), "{said}");
        assert!(start.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn a_core_is_one_that_the_board_has() {
        let to = "pi@board".parse().unwrap();
        let mask =
            |last, core| installed(last).mask(core, &to).unwrap_or_else(|error| error.to_string());
        for (last, core, wanted) in [
            (Some(3), Some(3), "8"),
            (Some(3), Some(4), "pi@board: there is no core 4: the board's last core is 3"),
            (Some(3), None, ""),
            (None, Some(127), "80000000000000000000000000000000"),
            (None, Some(128), "pi@board: core 128 is beyond what can be chosen, which is 127"),
        ] {
            assert_eq!(mask(last, core), wanted);
        }
    }

    #[test]
    fn output_that_is_not_whole_is_no_result() {
        let sum = hash::sha256(b"done\n");
        let stderr = format!("onewrite-status m 0\nonewrite-output m {sum}  -\n");
        assert_eq!(verdict(&stderr, b"done\n"), "well");
        assert!(verdict(&stderr, b"don").contains("not what p printed"));
        assert!(verdict("onewrite-status m 0\n", b"done\n").contains("incomplete"));
        // Of another run, or the program's own words.
        assert!(verdict(&stderr.replace(" m ", " n "), b"done\n").contains("did not say"));
    }
}
