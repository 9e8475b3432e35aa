//! What may be asked for where there is a command line.

use heapless::String;
use onewrite_boards::Failure;

/// What to measure.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// Rounds, where not as many as the machine needs.
    pub(crate) rounds: Option<u32>,
    /// The only workload.
    pub(crate) workload: Option<String<40>>,
    /// The only core to run on.
    pub(crate) core: Option<usize>,
}

impl Arguments {
    /// `[--rounds N] [--workload NAME] [--core N]`; nothing on bare metal.
    pub(crate) fn read() -> Result<Self, Failure> {
        #[allow(unused_mut, reason = "bare metal has no command line")]
        let mut arguments = Self::default();
        #[cfg(not(target_os = "none"))]
        {
            const USAGE: Failure =
                Failure::new("usage: [--rounds N] [--workload NAME] [--core N]", 2);
            let mut words = std::env::args().skip(1);
            while let Some(word) = words.next() {
                let value = words.next().ok_or(USAGE)?;
                match word.as_str() {
                    "--rounds" => arguments.rounds = Some(value.parse().map_err(|_| USAGE)?),
                    "--core" => arguments.core = Some(value.parse().map_err(|_| USAGE)?),
                    "--workload" => {
                        let name = String::try_from(value.as_str()).map_err(|_| USAGE)?;
                        arguments.workload = Some(name);
                    }
                    _ => return Err(USAGE),
                }
            }
        }
        Ok(arguments)
    }
}
