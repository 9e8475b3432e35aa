//! What a program that is counted from outside is asked to do.

use heapless::String;
use onewrite_boards::Failure;

/// What to do.
#[cfg_attr(
    target_os = "none",
    allow(dead_code, reason = "only a command line asks for the others")
)]
pub(crate) enum Task {
    Check,
    List,
    Repeat { workload: String<40>, shape: String<40>, reps: u32 },
}

/// A machine without a command line checks.
#[cfg(target_os = "none")]
pub(crate) fn task() -> Result<Task, Failure> {
    Ok(Task::Check)
}

/// What the command line says; nothing is to check.
///
/// # Errors
///
/// Words that are none of these, with exit code 2.
#[cfg(not(target_os = "none"))]
pub(crate) fn task() -> Result<Task, Failure> {
    const USAGE: Failure = Failure::new("usage: [--list | --workload W --shape S --reps N]", 2);
    let name = |word: &str| String::try_from(word).map_err(|_| USAGE);
    let words: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
    match words[..] {
        [] => Ok(Task::Check),
        ["--list"] => Ok(Task::List),
        ["--workload", workload, "--shape", shape, "--reps", reps] => Ok(Task::Repeat {
            workload: name(workload)?,
            shape: name(shape)?,
            reps: reps.parse().map_err(|_| USAGE)?,
        }),
        _ => Err(USAGE),
    }
}
