//! What may be asked for where there is a command line.

use heapless::String;
use onewrite_boards::Failure;

/// What to do.
#[derive(Debug)]
#[cfg_attr(
    target_os = "none",
    allow(dead_code, reason = "only a command line asks for the others")
)]
pub(crate) enum Asked {
    Report(Arguments),
    List,
    Repeat { workload: String<24>, shape: String<48>, reps: u32 },
}

/// What to measure.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// Rounds, where not as many as the machine needs.
    pub(crate) rounds: Option<u32>,
    /// The only workload.
    pub(crate) workload: Option<String<24>>,
    /// The only core to run on.
    pub(crate) core: Option<usize>,
}

impl Arguments {
    /// Nothing on bare metal.
    #[cfg(target_os = "none")]
    pub(crate) fn read() -> Result<Asked, Failure> {
        Ok(Asked::Report(Self::default()))
    }

    /// `[--rounds N] [--workload W] [--core N]`, `--list` or `--workload W --shape S --reps N`.
    #[cfg(not(target_os = "none"))]
    pub(crate) fn read() -> Result<Asked, Failure> {
        const USAGE: Failure = Failure::new(
            "usage: [--rounds N] [--workload W] [--core N] | --list | --workload W --shape S --reps N",
            2,
        );
        let words: Vec<_> = std::env::args().skip(1).collect();
        let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
        match words[..] {
            ["--list"] => return Ok(Asked::List),
            ["--workload", workload, "--shape", shape, "--reps", reps] => {
                return Ok(Asked::Repeat {
                    workload: String::try_from(workload).map_err(|_| USAGE)?,
                    shape: String::try_from(shape).map_err(|_| USAGE)?,
                    reps: reps.parse().map_err(|_| USAGE)?,
                });
            }
            _ => {}
        }
        let mut arguments = Self::default();
        for pair in words.chunks(2) {
            let [name, value] = pair[..] else { return Err(USAGE) };
            match name {
                "--rounds" => arguments.rounds = Some(value.parse().map_err(|_| USAGE)?),
                "--core" => arguments.core = Some(value.parse().map_err(|_| USAGE)?),
                "--workload" => {
                    arguments.workload = Some(String::try_from(value).map_err(|_| USAGE)?);
                }
                _ => return Err(USAGE),
            }
        }
        Ok(Asked::Report(arguments))
    }
}
