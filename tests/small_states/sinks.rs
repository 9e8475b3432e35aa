//! Memory of up to eight bytes, and every sequence of four calls.

use std::convert::Infallible;

use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::sink::{CountingSink, Sink, SinkExt as _, SliceSink};

#[derive(Clone, Copy, Debug)]
enum Call {
    Write(usize),
    Reserve(usize),
    Record,
    Records(usize),
    Poison,
}

const CALLS: [Call; 13] = [
    Call::Write(0),
    Call::Write(1),
    Call::Write(3),
    Call::Write(8),
    Call::Reserve(0),
    Call::Reserve(2),
    Call::Reserve(5),
    Call::Reserve(usize::MAX),
    Call::Record,
    Call::Records(0),
    Call::Records(2),
    Call::Records(usize::MAX / 2 + 2),
    Call::Poison,
];
const DEPTH: usize = 4;
const RECORD: usize = 2;

impl Call {
    /// Bytes that it takes.
    fn len(self) -> usize {
        match self {
            Self::Write(len) | Self::Reserve(len) => len,
            Self::Record => RECORD,
            Self::Records(count) => count.saturating_mul(RECORD),
            Self::Poison => 0,
        }
    }

    /// Makes the call, with bytes that say which one of a sequence it is; whether memory was lent.
    fn of<S: Sink<Error = Infallible>>(
        self,
        sink: &mut S,
        number: u8,
    ) -> Result<Option<bool>, WriteError<Infallible>> {
        let lent = match self {
            Self::Write(len) => {
                sink.write(&[number; 8][..len])?;
                return Ok(None);
            }
            Self::Poison => {
                sink.poison();
                return Ok(None);
            }
            Self::Reserve(len) => match sink.reserve(len)? {
                Some(bytes) => {
                    assert_eq!(bytes.len(), len);
                    bytes.fill(number);
                    true
                }
                None => false,
            },
            Self::Record => match sink.record::<RECORD>()? {
                Some(record) => {
                    *record = [number; RECORD];
                    true
                }
                None => false,
            },
            Self::Records(count) => match sink.records::<RECORD>(count)? {
                Some(records) => {
                    assert_eq!(records.len(), count);
                    records.fill([number; RECORD]);
                    true
                }
                None => false,
            },
        };
        Ok(Some(lent))
    }
}

/// Every sequence of calls, by its number.
fn sequences() -> impl Iterator<Item = [Call; DEPTH]> {
    (0..CALLS.len().pow(4)).map(|mut number| {
        std::array::from_fn(|_| {
            let call = CALLS[number % CALLS.len()];
            number /= CALLS.len();
            call
        })
    })
}

/// Makes the calls, beside a model that is a vector and a limit. `base` bytes were there before.
fn agrees<S: Sink<Error = Infallible>>(
    sink: &mut S,
    calls: &[Call; DEPTH],
    [base, room]: [usize; 2],
    lends: bool,
) -> Vec<u8> {
    let mut model = Vec::new();
    for (number, call) in (1..).zip(calls) {
        let (needed, available) = (call.len(), room - model.len());
        let asks = !matches!(call, Call::Write(_) | Call::Poison);
        let expected = if needed > available && (lends || !asks) {
            let kind = WriteErrorKind::Full { needed, available };
            Err(WriteError::new(base + model.len(), kind))
        } else {
            Ok(asks.then_some(lends))
        };
        assert_eq!(call.of(sink, number), expected, "{call:?} of {calls:?} in {room}");
        if expected.is_ok() && (lends || !asks) {
            model.extend(vec![number; needed]);
        }
    }
    model
}

#[test]
fn slices_do_what_the_model_does() {
    for calls in sequences() {
        // Each length in turn; all of them are tried in every state by some sequence.
        for room in 0..=8 {
            let mut buffer = [0xa5; 9];
            let mut sink = SliceSink::new(&mut buffer[..room]);
            let model = agrees(&mut sink, &calls, [0, room], true);
            assert_eq!((sink.written(), sink.remaining()), (model.len(), room - model.len()));
            assert_eq!(sink.into_written(), model);
            assert!(buffer[model.len()..].iter().all(|byte| *byte == 0xa5), "{calls:?} in {room}");
        }
    }
}

fn vectors<const N: usize>() {
    for calls in sequences() {
        let mut vec = heapless::Vec::<u8, N, u8>::new();
        let model = agrees(&mut vec, &calls, [0, N], true);
        assert_eq!(vec[..], model, "{calls:?} in {N}");
    }
}

#[test]
fn vectors_do_what_the_model_does() {
    vectors::<0>();
    vectors::<3>();
    vectors::<8>();
}

#[test]
fn counters_do_what_the_model_does() {
    for calls in sequences() {
        for room in [0, 3, 8] {
            let base = usize::MAX - room;
            let mut sink = CountingSink::starting_at(base);
            let model = agrees(&mut sink, &calls, [base, room], false);
            assert_eq!(sink.written(), base + model.len(), "{calls:?} in {room}");
        }
    }
}
