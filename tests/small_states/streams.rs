//! A stream: every sequence of three calls over every driver that does three things before it takes
//! everything, compared with the table in the sink's documentation.

use embedded_io::ErrorKind;
use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::sink::embedded_io::StreamSink;
use onewrite::sink::{Producer, Sink as _};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    TakesOne,
    TakesAll,
    TakesNone,
    Claims,
    Interrupted,
    Broken,
}

const STEPS: [Step; 6] = [
    Step::TakesOne,
    Step::TakesAll,
    Step::TakesNone,
    Step::Claims,
    Step::Interrupted,
    Step::Broken,
];

#[derive(Clone, Copy, Debug)]
enum Call {
    Write(usize),
    /// Two bytes, and one; then perhaps an error.
    Produce {
        chunks: usize,
        refuses: bool,
    },
    Flush,
    Poison,
    Reset,
}

const CALLS: [Call; 9] = [
    Call::Write(0),
    Call::Write(1),
    Call::Write(3),
    Call::Produce { chunks: 2, refuses: false },
    Call::Produce { chunks: 0, refuses: true },
    Call::Produce { chunks: 1, refuses: true },
    Call::Flush,
    Call::Poison,
    Call::Reset,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fault(ErrorKind);

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl std::error::Error for Fault {}

impl embedded_io::Error for Fault {
    fn kind(&self) -> ErrorKind {
        self.0
    }
}

const BROKEN: Fault = Fault(ErrorKind::BrokenPipe);

struct Driver<'s> {
    steps: &'s [Step],
    taken: Vec<u8>,
}

fn next(steps: &mut &[Step]) -> Step {
    steps.split_off_first().copied().unwrap_or(Step::TakesAll)
}

impl embedded_io::ErrorType for Driver<'_> {
    type Error = Fault;
}

impl embedded_io::Write for Driver<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        let (takes, claims) = match next(&mut self.steps) {
            Step::TakesOne => (1, 1),
            Step::TakesAll => (bytes.len(), bytes.len()),
            Step::TakesNone => (0, 0),
            Step::Claims => (bytes.len(), bytes.len() + 1),
            Step::Interrupted => return Err(Fault(ErrorKind::Interrupted)),
            Step::Broken => return Err(BROKEN),
        };
        self.taken.extend(&bytes[..takes]);
        Ok(claims)
    }

    fn flush(&mut self) -> Result<(), Fault> {
        match next(&mut self.steps) {
            Step::Interrupted => Err(Fault(ErrorKind::Interrupted)),
            Step::Broken => Err(BROKEN),
            _ => Ok(()),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Refused;

struct Chunks {
    left: usize,
    refuses: bool,
}

impl Producer for Chunks {
    type Error = Refused;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Refused> {
        match self.left {
            0 if self.refuses => Err(Refused),
            0 => Ok(0),
            left => {
                scratch.fill(7);
                self.left -= 1;
                Ok(left)
            }
        }
    }
}

/// What the documentation says of a stream.
struct Model<'s> {
    steps: &'s [Step],
    taken: usize,
    written: usize,
    poisoned: bool,
}

type Outcome = Result<usize, WriteError<Fault, Refused>>;

impl Model<'_> {
    /// Offers `len` bytes until all are gone. What went out of them stays counted.
    fn offer(&mut self, mut len: usize) -> Result<(), WriteErrorKind<Fault, Refused>> {
        while len != 0 {
            let takes = match next(&mut self.steps) {
                Step::TakesOne => 1,
                Step::TakesAll => len,
                Step::TakesNone => return Err(WriteErrorKind::Stalled),
                // All of it is gone, as far as anyone can tell.
                Step::Claims => {
                    self.count(len);
                    return Err(WriteErrorKind::Miscounted { offered: len, claimed: len + 1 });
                }
                Step::Interrupted => continue,
                Step::Broken => return Err(WriteErrorKind::Sink(BROKEN)),
            };
            self.count(takes);
            len -= takes;
        }
        Ok(())
    }

    fn count(&mut self, taken: usize) {
        self.written += taken;
        self.taken += taken;
    }

    fn call(&mut self, call: Call) -> Outcome {
        match call {
            Call::Poison => self.poisoned = true,
            Call::Reset => (self.poisoned, self.written) = (false, 0),
            _ if self.poisoned => {
                return Err(WriteError::new(self.written, WriteErrorKind::Poisoned));
            }
            Call::Write(len) => {
                let before = self.taken;
                if let Err(kind) = self.offer(len) {
                    self.poisoned = self.taken != before;
                    return Err(WriteError::new(self.written, kind));
                }
            }
            Call::Produce { chunks, refuses } => {
                let before = self.taken;
                for len in (1..=chunks).rev() {
                    if let Err(kind) = self.offer(len) {
                        self.poisoned = true;
                        return Err(WriteError::new(self.written, kind));
                    }
                }
                if refuses {
                    self.poisoned = self.taken != before;
                    return Err(WriteError::new(self.written, WriteErrorKind::Encode(Refused)));
                }
                return Ok(self.taken - before);
            }
            Call::Flush => loop {
                match next(&mut self.steps) {
                    Step::Interrupted => {}
                    Step::Broken => {
                        return Err(WriteError::new(self.written, WriteErrorKind::Sink(BROKEN)));
                    }
                    _ => break,
                }
            },
        }
        Ok(0)
    }
}

fn call(sink: &mut StreamSink<Driver<'_>>, call: Call) -> Outcome {
    match call {
        Call::Write(len) => sink.write(&[7; 3][..len]).map_err(WriteError::widen)?,
        Call::Produce { chunks, refuses } => {
            return sink.write_from(Chunks { left: chunks, refuses }, &mut [0; 2]);
        }
        Call::Flush => sink.flush().map_err(WriteError::widen)?,
        Call::Poison => sink.poison(),
        Call::Reset => sink.reset(),
    }
    Ok(0)
}

#[test]
fn streams_do_what_their_table_says() {
    let three = || (0..STEPS.len().pow(3)).map(|n| [n % 6, n / 6 % 6, n / 36].map(|n| STEPS[n]));
    for calls in (0..CALLS.len().pow(3)).map(|n| [n % 9, n / 9 % 9, n / 81].map(|n| CALLS[n])) {
        for steps in three() {
            let mut model = Model { steps: &steps, taken: 0, written: 0, poisoned: false };
            let mut sink = StreamSink::new(Driver { steps: &steps, taken: Vec::new() });
            for now in calls {
                let what = || format!("{now:?} of {calls:?} over {steps:?}");
                let outcome = call(&mut sink, now);
                assert!(outcome == model.call(now), "{}: {outcome:?}", what());
                assert_eq!(sink.written(), model.written, "{}", what());
                assert_eq!(sink.is_poisoned(), model.poisoned, "{}", what());
                assert_eq!(sink.writer_mut().taken.len(), model.taken, "{}", what());
                assert_eq!(sink.writer_mut().steps, model.steps, "{}", what());
            }
        }
    }
}
