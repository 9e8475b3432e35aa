//! The table of writers, and what a row is.

use std::fmt::Debug;

use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::sink::Sink;

use super::driver::Fault;
use super::{batches, check, values, websocket};

pub(crate) type Out<'o> = dyn Sink<Error = Fault> + 'o;
pub(crate) type Outcome = Result<(), WriteError<Fault>>;

/// Writes the next message of a writer into a sink that has had so many bytes; `None` behind the last. One
/// that failed is the next one again.
pub(crate) type Messages = Box<dyn FnMut(&mut Out<'_>, usize) -> Option<Outcome>>;

/// What of a message a receiver can keep if the rest never comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// All of it or nothing.
    Message,
    /// Records of so many bytes, each by itself.
    Records(usize),
    /// All or nothing, and what made its chunks has moved past the one that failed.
    Produced,
}

/// A row of the table.
pub(crate) struct Writer {
    pub(crate) name: &'static str,
    /// The functions of the library that it stands for.
    pub(crate) covers: &'static [&'static str],
    pub(crate) unit: Unit,
    pub(crate) start: fn() -> Messages,
}

/// A new writer to a sink belongs into one of these.
pub(crate) fn all() -> impl Iterator<Item = &'static Writer> {
    values::WRITERS.iter().chain(websocket::WRITERS).chain(batches::WRITERS)
}

/// One message after the other, of a writer that has a state.
pub(crate) fn in_turn<T: 'static>(
    mut state: T,
    steps: &'static [fn(&mut T, &mut Out<'_>) -> Outcome],
) -> Messages {
    let mut left = steps;
    Box::new(move |out, _| {
        let (step, rest) = left.split_first()?;
        let outcome = step(&mut state, out);
        if outcome.is_ok() {
            left = rest;
        }
        Some(outcome)
    })
}

/// Messages that know nothing of each other.
pub(crate) fn messages(steps: &'static [fn(&mut (), &mut Out<'_>) -> Outcome]) -> Messages {
    in_turn((), steps)
}

/// The error of the sink; nothing here is refused.
#[track_caller]
pub(crate) fn of_sink<T, P: Debug>(result: Result<T, WriteError<Fault, P>>) -> Outcome {
    let Err(WriteError { written, kind }) = result else { return Ok(()) };
    Err(WriteError::new(
        written,
        match kind {
            WriteErrorKind::Sink(fault) => WriteErrorKind::Sink(fault),
            WriteErrorKind::Full { needed, available } => {
                WriteErrorKind::Full { needed, available }
            }
            WriteErrorKind::Miscounted { offered, claimed } => {
                WriteErrorKind::Miscounted { offered, claimed }
            }
            WriteErrorKind::Poisoned => WriteErrorKind::Poisoned,
            WriteErrorKind::Stalled => WriteErrorKind::Stalled,
            other => panic!("refused: {other:?}"),
        },
    ))
}

#[test]
fn memory_that_is_too_short_by_any_number_of_bytes() {
    all().for_each(check::slices);
}

#[test]
fn vectors_that_are_too_short_by_any_number_of_bytes() {
    all().for_each(check::vectors);
}

#[test]
fn queues_that_are_too_short_by_any_number_of_bytes() {
    all().for_each(check::queues);
}

#[test]
fn drivers_that_fail_at_any_byte_and_work_again() {
    all().for_each(check::failing_drivers);
}

#[test]
fn drivers_that_take_any_number_of_bytes_at_once() {
    all().for_each(check::short_writes);
}
