//! What a program that is counted from outside is asked to do.

use heapless::String;
use onewrite_boards::{Console, Failure, counters};

/// What to do.
#[cfg_attr(
    target_os = "none",
    allow(dead_code, reason = "only a command line asks for one repetition after the other")
)]
pub(crate) enum Task {
    Check,
    List(List),
    Repeat { workload: String<40>, shape: String<40>, reps: u32 },
}

/// A line for each workload and shape, with its instructions where they are asked for.
#[derive(Clone, Copy)]
pub(crate) struct List {
    counts: bool,
}

impl List {
    /// Whether the machine counts by itself.
    #[allow(dead_code, reason = "not every program counts less by itself")]
    pub(crate) const fn counts(self) -> bool {
        self.counts
    }

    /// The line `WORKLOAD SHAPE bytes=N records=N`, and `reps=N instructions=N` behind it where that is
    /// asked: of so many repetitions.
    pub(crate) fn line(
        self,
        console: &mut Console,
        [workload, shape]: [&str; 2],
        [bytes, records]: [usize; 2],
        repeat: impl FnMut(u32) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        write!(console, "{workload} {shape} bytes={bytes} records={records}")?;
        if self.counts {
            let [few, more] = REPETITIONS;
            write!(console, " reps={} instructions={}", more - few, counted(repeat)?)?;
        }
        Ok(writeln!(console)?)
    }
}

/// As many as `xtask count` asks for.
const REPETITIONS: [u32; 2] = [10, 50];

/// The instructions of the repetitions that are more, so that what is done once drops out.
fn counted(mut repeat: impl FnMut(u32) -> Result<(), Failure>) -> Result<u64, Failure> {
    let mut count = |reps| {
        let start = counters();
        repeat(reps)?;
        let span = counters().since(start).instructions;
        span.ok_or(Failure::new("this machine does not count instructions", 1))
    };
    let [few, more] = REPETITIONS;
    let few = count(few)?;
    Ok(count(more)?.saturating_sub(few))
}

/// A machine without a command line checks, and an emulator may ask it to count.
#[cfg(target_os = "none")]
pub(crate) fn task() -> Result<Task, Failure> {
    let mut line = [0; 64];
    let is_asked = onewrite_boards::command_line(&mut line).ends_with(" --count");
    Ok(if is_asked { Task::List(List { counts: true }) } else { Task::Check })
}

/// What the command line says; nothing is to check.
///
/// # Errors
///
/// Words that are none of these, with exit code 2.
#[cfg(not(target_os = "none"))]
pub(crate) fn task() -> Result<Task, Failure> {
    const USAGE: Failure =
        Failure::new("usage: [--list | --count | --workload W --shape S --reps N]", 2);
    let name = |word: &str| String::try_from(word).map_err(|_| USAGE);
    let words: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
    match words[..] {
        [] => Ok(Task::Check),
        ["--list"] => Ok(Task::List(List { counts: false })),
        ["--count"] => Ok(Task::List(List { counts: true })),
        ["--workload", workload, "--shape", shape, "--reps", reps] => Ok(Task::Repeat {
            workload: name(workload)?,
            shape: name(shape)?,
            reps: reps.parse().map_err(|_| USAGE)?,
        }),
        _ => Err(USAGE),
    }
}
