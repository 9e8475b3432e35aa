//! Any machine with the standard library.

use core::fmt;
use std::{
    io::{Read as _, Write as _},
    process,
    sync::OnceLock,
    time::Instant,
};

use embedded_io::{ErrorKind, ErrorType};

use crate::{Counters, Environment, Failure, Label};

/// Standard output.
///
/// Bytes go out as they are. A write may be short; nothing is left behind at the end of a run.
#[derive(Debug)]
pub struct Console(());

impl Console {
    /// Makes `write!(console, …)` work without an import, also where both traits are in scope.
    ///
    /// # Errors
    /// Standard output is closed or full.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> fmt::Result {
        std::io::stdout().write_fmt(text).map_err(|_| fmt::Error)
    }
}

impl ErrorType for Console {
    type Error = ErrorKind;
}

impl embedded_io::Write for Console {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        if bytes.is_empty() {
            return Ok(0);
        }
        match std::io::stdout().write(bytes) {
            // embedded-io does not allow a write of nothing to be a success.
            Ok(0) => Err(ErrorKind::WriteZero),
            Ok(written) => Ok(written),
            Err(error) => Err(error.kind().into()),
        }
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        std::io::stdout().flush().map_err(|error| error.kind().into())
    }
}

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        std::io::stdout().write_all(text.as_bytes()).map_err(|_| fmt::Error)
    }
}

/// The machine's serial line, for bytes of a program's own.
///
/// With an operating system that is standard input and standard output: nothing may go to the
/// console while this exists.
#[derive(Debug)]
pub struct Serial(());

impl Serial {
    /// Takes the line.
    #[must_use]
    pub const fn take() -> Self {
        Self(())
    }
}

impl ErrorType for Serial {
    type Error = ErrorKind;
}

impl embedded_io::Read for Serial {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, ErrorKind> {
        std::io::stdin().read(bytes).map_err(|error| error.kind().into())
    }
}

impl embedded_io::Write for Serial {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        embedded_io::Write::write(&mut Console(()), bytes)
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        embedded_io::Write::flush(&mut Console(()))
    }
}

/// Nanoseconds of the monotonic clock since the first call.
#[must_use]
pub fn now_ns() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    // Five hundred years fit.
    u64::try_from(START.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// What this thread has counted so far; on Linux through perf events, elsewhere nothing.
#[must_use]
pub fn counters() -> Counters {
    #[cfg(perf_events)]
    let counters = crate::linux::counters();
    #[cfg(not(perf_events))]
    let counters = Counters::default();
    counters
}

/// Keeps this thread on one core from now on.
///
/// Threads that it starts later stay there as well.
///
/// # Errors
/// There is no such core, the thread is not allowed on it, or the system is not Linux.
pub fn pin_to(core: usize) -> Result<(), Failure> {
    #[cfg(perf_events)]
    let pinned = crate::linux::pin_to(core);
    #[cfg(not(perf_events))]
    let pinned = {
        let _ = core;
        Err("only Linux lets a program stay on one core".into())
    };
    pinned
}

/// What kind of number this machine can produce.
#[must_use]
pub fn label() -> Label {
    #[cfg(perf_events)]
    let label = crate::linux::label();
    #[cfg(not(perf_events))]
    let label = Label::Host;
    label
}

/// The facts of this machine and build, now.
#[must_use]
pub fn environment() -> Environment {
    let mut environment = Environment::of_build(std::env::consts::OS, label());
    environment.add("strict-align", format_args!("{}", env!("ONEWRITE_STRICT_ALIGN")));
    #[cfg(perf_events)]
    crate::linux::add_facts(&mut environment);
    environment
}

/// Ends the process with `code` after standard output is flushed.
pub fn exit(code: u8) -> ! {
    let _ = std::io::stdout().flush();
    process::exit(i32::from(code))
}

/// Runs an example and ends the process as its outcome says.
pub fn start(run: fn(&mut Console) -> Result<(), Failure>) -> ! {
    let mut console = Console(());
    let code = match run(&mut console) {
        Ok(()) => 0,
        Err(failure) => {
            // Whoever read the console may have gone; a full disk is told where it can be.
            if let Err(error) = writeln!(std::io::stdout(), "failed: {failure}")
                && error.kind() != std::io::ErrorKind::BrokenPipe
            {
                let _ = writeln!(std::io::stderr(), "failed: {failure}: {error}");
            }
            failure.code()
        }
    };
    exit(code)
}

#[cfg(test)]
mod tests {
    use embedded_io::Write;

    use super::{Console, environment, now_ns};
    use crate::Environment;

    #[test]
    fn an_empty_write_is_no_error() {
        assert_eq!(Console(()).write(b""), Ok(0));
    }

    #[test]
    fn the_clock_does_not_run_backwards() {
        let first = now_ns();
        assert!(now_ns() >= first);
    }

    #[test]
    fn no_fact_is_left_out() {
        let environment = environment();
        assert!(environment.facts().len() < Environment::CAPACITY);
        for key in ["board", "label", "target", "rustc", "rustflags", "strict-align"] {
            assert!(environment.value(key).is_some_and(|value| !value.is_empty()), "{key}");
        }
    }
}
