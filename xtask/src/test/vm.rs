//! Deployments and measurements against an emulated Linux, and links that break on the way to it.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context as _, Result, bail, ensure};

use super::Outcome;
use crate::deploy::{self, Job};
use crate::expectation::expectations;
use crate::progress::Tally;
use crate::ssh::{Session, Trouble};
use crate::toolchain::Place;
use crate::vm::{Machine, Vm};
use crate::{process, throughput, workspace};

/// The example that is deployed over and over.
const EXAMPLE: &str = "record";
const LIMIT: Duration = Duration::from_secs(60);
/// How often the link is broken.
const BREAKS: u64 = 10;

/// Boots once and does everything there.
pub(super) fn deployments(yes: bool) -> Outcome {
    let program = deploy::build(EXAMPLE, yes)?;
    let vm = Vm::boot(Machine::Virt, true, yes)?;
    let bench = Bench { vm, program, work: tempfile::tempdir()? };
    let tests: [(&str, Test); 8] = [
        ("an example runs as it does elsewhere", Bench::runs),
        ("a measurement comes back whole, twice the same", Bench::measures),
        ("odd names arrive as they are", Bench::names),
        ("a wrong host key, a wrong key and a closed port are told apart", Bench::refusals),
        ("a full and a read-only file system keep what was there", Bench::file_systems),
        ("a program for another machine is refused", Bench::machines),
        ("every end of a program is named", Bench::ends),
        ("a link that breaks leaves the old program or the new one", Bench::breaks),
    ];
    let mut tally = Tally::default();
    for (name, test) in tests {
        let result = test(&bench, yes);
        tally.add(Tally::one(result.is_ok()));
        match result {
            Ok(()) => println!("deployment: {name} ... ok"),
            Err(error) => println!("deployment: {name} ... FAILED\n{error:#}"),
        }
    }
    let took = bench.vm.took.as_secs_f64();
    Ok((tally, format!("; Linux was ready after {took:.1} s")))
}

/// What the Zero 2 W's own device tree and drivers make of it: slow, and not for every change.
pub(crate) fn zero_2w(yes: bool) -> Result<String> {
    let program = deploy::build(EXAMPLE, yes)?;
    let vm = Vm::boot(Machine::Raspi3b, false, yes)?;
    let took = vm.took.as_secs_f64();
    let bench = Bench { vm, program, work: tempfile::tempdir()? };
    bench.runs(yes)?;
    let model = bench.shell("cat /proc/device-tree/model")?;
    let model = model.trim_matches(|c: char| c == '\0' || c.is_whitespace());
    ensure!(model == "Raspberry Pi Zero 2 W", "the model is {model:?}");
    Ok(format!("{model}, ready after {took:.1} s; {EXAMPLE} deployed and run"))
}

/// One thing that has to hold there.
type Test = fn(&Bench, bool) -> Result<()>;

struct Bench {
    vm: Vm,
    program: PathBuf,
    /// Of this machine, not of the emulated one.
    work: tempfile::TempDir,
}

impl Bench {
    fn runs(&self, _: bool) -> Result<()> {
        let session = self.vm.session();
        let installed = deploy::install(session, &self.program, "runs")?;
        let job = Job { arguments: Vec::new(), core: installed.board.last_core, limit: LIMIT };
        let output = installed.run(session, &job, &mut |_| {})?;
        let folder = workspace::root().join("examples");
        let all = expectations("onewrite", &folder, Place::Linux, false)?;
        let expectation = all.iter().find(|one| one.example == EXAMPLE);
        let expectation = expectation.context("the example has no .out file")?;
        expectation.check(&String::from_utf8_lossy(&output))
    }

    fn measures(&self, yes: bool) -> Result<()> {
        let once = || throughput::counts_on(self.vm.session(), yes);
        let (first, second) = (once()?, once()?);
        ensure!(!first.is_empty(), "nothing was counted");
        ensure!(first == second, "two runs count differently");
        Ok(())
    }

    /// Case deploy-01, with a real client, a real server and another shell.
    fn names(&self, _: bool) -> Result<()> {
        let names = ["bench run", "it's", "$(touch pwned)", "-rf", "a;b", "ünï", "a\nb", "*"];
        for name in names {
            deploy::install(self.vm.session(), &self.program, &format!("names/{name}"))?;
        }
        let sum = sum_of(&self.program)?;
        let list = self.shell("cd names && for name in *; do sha256sum <\"$name/record\"; done")?;
        ensure!(list.lines().count() == names.len(), "{list}");
        ensure!(list.lines().all(|line| line.starts_with(&sum)), "{list}");
        ensure!(self.shell("[ -e pwned ] || [ -e names/pwned ] || echo no")? == "no\n");
        Ok(())
    }

    fn refusals(&self, _: bool) -> Result<()> {
        // A key that neither side knows.
        let stranger = self.work.path().join("stranger");
        let mut generate = Command::new("ssh-keygen");
        generate.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&stranger);
        process::capture(&mut generate)?;
        let public = fs::read_to_string(stranger.with_extension("pub"))?;
        let known = self.work.path().join("known");
        fs::write(&known, format!("onewrite-vm {public}"))?;
        let nobody = self.work.path().join("nobody");
        fs::write(&nobody, "")?;
        let free = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        for (name, value, wanted) in [
            ("UserKnownHostsFile", known.display().to_string(), "host key has changed"),
            ("UserKnownHostsFile", nobody.display().to_string(), "is not known yet"),
            ("IdentityFile", stranger.display().to_string(), "no key of yours is accepted"),
            ("Port", free.to_string(), "connection refused"),
        ] {
            let session = self.vm.session_with(name, &value);
            let error = deploy::install(&session, &self.program, "refused").err();
            let error = error.with_context(|| format!("{name}={value} made no difference"))?;
            ensure!(format!("{error:#}").contains(wanted), "{error:#}, not: {wanted}");
            ensure!(error.is::<Trouble>(), "{error:#}");
        }
        ensure!(self.shell("[ -e refused ] || echo no")? == "no\n");
        Ok(())
    }

    fn file_systems(&self, _: bool) -> Result<()> {
        let mount = "for name in full read-only; do mkdir -p $name && mount -t tmpfs -o size=16k t \
                     $name && echo old >$name/record || exit 1; done; \
                     mount -o remount,ro t \"$PWD/read-only\"";
        self.shell(mount)?;
        for (folder, wanted) in [("full", "no space left"), ("read-only", "Read-only file system")]
        {
            let error = deploy::install(self.vm.session(), &self.program, folder).err();
            let error = error.with_context(|| format!("{folder} took a program"))?;
            ensure!(format!("{error:#}").contains(wanted), "{error:#}");
            let left = self.shell(&format!("cd {folder} && ls -A && cat record"))?;
            ensure!(left == "record\nold\n", "{folder}: {left}");
        }
        // What `df` says may be wrong by the time that the copy is under way.
        let script = include_str!("../deploy/install.sh");
        let words = ["full", "record", ".record.new", ""];
        let bytes = fs::read(&self.program)?;
        let answer = self.vm.session().run(script, &words, Some(bytes), LIMIT, &mut |_| {})?;
        let said = String::from_utf8_lossy(&answer.stdout);
        ensure!(!answer.status.success() && said.contains("could not be written"), "{said}");
        ensure!(answer.stderr.contains("No space left"), "{}", answer.stderr);
        ensure!(self.shell("cd full && ls -A && cat record")? == "record\nold\n");
        Ok(())
    }

    fn machines(&self, _: bool) -> Result<()> {
        if cfg!(target_arch = "aarch64") {
            println!("deployment: skipped: this machine's programs are for the emulated board too");
            return Ok(());
        }
        // Not ourselves: while the tests run, cargo may put another file in our place.
        let own = process::find("sh").context("this machine has no sh")?;
        let error = deploy::install(self.vm.session(), &own, "machines").err();
        let error = error.context("the emulated board took a program of this machine")?;
        ensure!(format!("{error:#}").contains("the board is aarch64"), "{error:#}");
        ensure!(self.shell("ls -A machines 2>/dev/null || true")?.is_empty());
        Ok(())
    }

    /// Case deploy-03, as far as programs go: a shell in the place of the program.
    fn ends(&self, _: bool) -> Result<()> {
        let installed = deploy::install(self.vm.session(), &self.program, "ends")?;
        self.shell("printf '#!/bin/sh\\neval \"$1\"\\n' >ends/record")?;
        for (script, wanted) in [
            ("exit 3", "failed with exit code 3"),
            ("kill -9 $$", "ended by signal 9"),
            ("exec sleep 60", "still running after 2 s"),
        ] {
            let arguments = vec![script.to_owned()];
            let job = Job { arguments, core: None, limit: Duration::from_secs(2) };
            let error = installed.run(self.vm.session(), &job, &mut |_| {}).err();
            let error = error.with_context(|| format!("{script} ended well"))?;
            ensure!(format!("{error:#}").contains(wanted), "{error:#}");
        }
        Ok(())
    }

    /// Ends the client at moments of a deployment, however far it is.
    fn breaks(&self, _: bool) -> Result<()> {
        // A longer program, so that most of the time is copying; each time another one.
        let mut bytes = fs::read(&self.program)?;
        bytes.resize(bytes.len() + (6 << 20), 0x5a);
        let file = self.work.path().join("broken");
        let version = |number: u64| -> Result<String> {
            let mut bytes = bytes.clone();
            bytes.extend(number.to_le_bytes());
            fs::write(&file, &bytes)?;
            sum_of(&file)
        };
        let mut old = version(0)?;
        let start = Instant::now();
        deploy::install(self.vm.session(), &file, "breaks")?;
        let mut whole = start.elapsed();
        let mut random = fastrand::Rng::with_seed(20_261_130);
        let (mut broken, mut number) = (0, 0);
        while broken < BREAKS {
            number += 1;
            ensure!(number <= 4 * BREAKS, "only {broken} of {number} links broke in time");
            let new = version(number)?;
            let after = whole.mul_f64(random.f64());
            let session = self.breaking_session(after)?;
            let start = Instant::now();
            let result = deploy::install(&session, &file, "breaks");
            let found = self.settled()?;
            let at = format!("broken after {:.3} s", after.as_secs_f64());
            match &result {
                Ok(_) => {
                    ensure!(found == new, "{at}: it says that it is done, and is not");
                    // It may be quicker now, with less to do beside it.
                    whole = start.elapsed();
                }
                Err(error) if error.is::<Trouble>() => broken += 1,
                Err(error) => bail!("{at}: not known as a broken link: {error:#}"),
            }
            ensure!(found == old || found == new, "{at}: neither the old program nor the new one");
            old = found;
        }
        println!("deployment: {broken} of {number} links broken within {whole:.1?}");
        Ok(())
    }

    /// A client that is ended by a signal at one moment, whichever connection it has then.
    fn breaking_session(&self, after: Duration) -> Result<Session> {
        let end = SystemTime::now() + after;
        let end = end.duration_since(SystemTime::UNIX_EPOCH)?.as_nanos().to_string();
        let script = "end=$1; shift; left=$(($end - $(date +%s%N))); \
             if [ $left -lt 1000000 ]; then left=1000000; fi; \
             exec timeout -s KILL $(printf '%d.%09d' $((left / 1000000000)) $((left % 1000000000))) \
             \"$@\"";
        let client = ["sh", "-c", script, "sh", &end, "ssh", "-F", "none"].map(str::to_owned);
        Ok(self.vm.session_through(client.into()))
    }

    /// The sum of the program in place, once the board has noticed that nobody is there any more.
    fn settled(&self) -> Result<String> {
        let start = Instant::now();
        loop {
            let names = self.shell("ls -A breaks")?;
            if names == "broken\n" {
                let sum = self.shell("sha256sum <breaks/broken")?;
                return Ok(sum.split(' ').next().unwrap_or_default().to_owned());
            }
            if start.elapsed() > Duration::from_secs(20) {
                bail!("left behind: {names}");
            }
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Standard output of a script there, which has to end well.
    fn shell(&self, script: &str) -> Result<String> {
        let answer = self.vm.session().run(script, &[], None, LIMIT, &mut |_| {})?;
        if !answer.status.success() {
            bail!("{script}: {}\n{}", answer.status, answer.stderr);
        }
        Ok(String::from_utf8_lossy(&answer.stdout).into_owned())
    }
}

fn sum_of(file: &Path) -> Result<String> {
    Ok(deploy::Program::read(file)?.sha256)
}
