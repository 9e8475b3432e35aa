//! A circuit over sinks that fail: what was done is answered once, and is not done again.

use onewrite::circuit::hub::Message;
use onewrite::circuit::{BatchStore, Next, NoStore, Options, Store};
use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::sink::embedded_io::StreamSink;
use onewrite::websocket::CloseCode;

use super::driver::{Driver, Fault, Memory, Queue, Stop, same};
use super::rig::{self, Browser, Conn, Counting, connection, encoded};
use super::writers::Out;

type Kept = BatchStore<4, 4096>;

/// What happens to a connection.
#[derive(Clone)]
enum Step {
    Sent(Vec<u8>),
    /// The page wants a function to be called.
    Calls(&'static str),
    Pings,
    Fails,
    Stops,
    TimesOut,
    SaysClose,
}

/// Everything that makes a connection say something. The clicks of the steps are in the second number.
fn conversation(end: usize) -> (Vec<Step>, u32) {
    let mut browser = Browser::new();
    let clicks = |numbers: &[&str]| -> Vec<u8> {
        let call = |number| encoded(&Message::Invocation { id: None, call: rig::click(number) });
        numbers.iter().copied().flat_map(call).collect()
    };
    // The answers to one part have to go before the other part is looked at.
    let many = browser.binary(&clicks(&["3"; 5]));
    let steps = vec![
        Step::Sent([browser.handshake(), browser.start()].concat()),
        Step::Sent(browser.click(1)),
        Step::Sent(browser.acknowledge(2)),
        Step::Calls("document.title"),
        Step::Pings,
        Step::Sent(many),
        Step::Sent([browser.acknowledge(3), browser.acknowledge(4)].concat()),
        match end {
            0 => Step::Sent(browser.close(Some(CloseCode::NORMAL))),
            1 => Step::Fails,
            2 => Step::Stops,
            3 => Step::TimesOut,
            _ => Step::SaysClose,
        },
    ];
    (steps, 6)
}

const ENDINGS: usize = 5;

/// One side of a conversation, that goes on where it was interrupted.
struct Talk<St: Store + 'static> {
    server: Counting<St>,
    conn: Conn,
    steps: std::vec::IntoIter<Step>,
    now: Option<Step>,
}

impl<St: Store + 'static> Talk<St> {
    fn new(steps: Vec<Step>) -> Self {
        let mut steps = steps.into_iter();
        let now = steps.next();
        let server = rig::server::<St>(2, Options { unacknowledged: 3, ..Options::DEFAULT });
        Self { server, conn: connection(), steps, now }
    }

    /// Goes on until all is said, or something is in the way.
    fn go_on(&mut self, out: &mut Out<'_>) -> Result<Option<usize>, WriteError<Fault>> {
        let Self { server, conn, .. } = self;
        while let Some(step) = &mut self.now {
            let next = match step {
                Step::Sent(bytes) => {
                    let mut input = bytes.as_mut_slice();
                    let next = conn.feed(server, &mut input, out);
                    let left = input.len();
                    bytes.drain(..bytes.len() - left);
                    next?
                }
                Step::Calls(function) => {
                    if !function.is_empty() {
                        server.handler_mut().calls.push_back((function, true));
                        *function = "";
                    }
                    conn.pump(server, out)?
                }
                Step::Pings => conn.ping(out)?,
                Step::Fails => conn.error(server, "It is broken.", out)?,
                Step::Stops => conn.shut_down(out)?,
                Step::TimesOut => conn.time_out(out)?,
                Step::SaysClose => conn.hub_close(Some(true), out)?,
            };
            match next {
                Next::Flush { needed } => return Ok(Some(needed)),
                Next::Read => {}
                Next::Close => assert_eq!(self.steps.len(), 0),
            }
            self.now = self.steps.next();
        }
        Ok(None)
    }

    /// Lets go of everything; how often somebody has clicked.
    fn clicks(mut self) -> u32 {
        self.conn.detach(&mut self.server, 0);
        self.server.expire(u64::MAX, 0);
        let log = &self.server.handler().log;
        let mut closed = log.iter().filter_map(|line| line.strip_prefix("closed "));
        let (count, _) = closed.next().unwrap_or("0 ").split_once(' ').unwrap();
        assert_eq!(closed.next(), None);
        count.parse().unwrap()
    }
}

/// What goes out where nothing fails.
fn whole<St: Store + 'static>(end: usize) -> Vec<u8> {
    let (steps, clicks) = conversation(end);
    let mut talk = Talk::<St>::new(steps);
    let mut queue = Memory(Queue::of(usize::MAX));
    assert_eq!(talk.go_on(&mut queue), Ok(None));
    assert!(!queue.0.poisoned && talk.conn.refusal().is_none());
    assert_eq!(talk.conn.sent(), queue.0.bytes.len() as u64);
    assert_eq!(talk.clicks(), clicks);
    queue.0.bytes
}

/// Where to begin: but for their end, all conversations are the same.
fn first(end: usize, whole: &[u8]) -> usize {
    if end == 0 { 0 } else { whole.len() - 80 }
}

/// A driver that fails twice at one byte.
fn drivers<St: Store + 'static>(end: usize) {
    let (whole, (steps, clicks)) = (whole::<St>(end), conversation(end));
    let mut went_on = 0;
    for until in first(end, &whole)..whole.len() {
        let others = [(Stop::Breaks, 7), (Stop::Stalls, usize::MAX)];
        let others = if until % 3 == 0 { &others[until % 2..][..1] } else { &[] };
        for &(stop, at_once) in [(Stop::Breaks, usize::MAX)].iter().chain(others) {
            let what = format!("{stop:?} at {until} of ending {end}, {at_once} at once");
            let mut talk = Talk::<St>::new(steps.clone());
            let mut sink = StreamSink::new(Driver::failing(until, stop, 2, at_once));
            let mut outcome = talk.go_on(&mut sink);
            for _ in 0..2 {
                let kind = match stop {
                    Stop::Breaks => WriteErrorKind::Sink(Fault(7)),
                    _ => WriteErrorKind::Stalled,
                };
                assert_eq!(outcome, Err(WriteError::new(until, kind)), "{what}");
                same(&sink.writer_mut().taken, &whole[..until], &what);
                if sink.is_poisoned() {
                    break;
                }
                outcome = talk.go_on(&mut sink);
            }
            if sink.is_poisoned() {
                let calls = sink.writer_mut().calls;
                let whole = usize::try_from(talk.conn.sent()).unwrap();
                // Nothing comes behind it, whatever the connection has to say.
                while talk.now.is_some() {
                    // By the sink, or by the connection where it has seen the frame stop.
                    let refused =
                        [until, whole].map(|at| Err(WriteError::new(at, WriteErrorKind::Poisoned)));
                    let outcome = talk.go_on(&mut sink);
                    assert!(
                        outcome == Ok(None) || refused.contains(&outcome),
                        "{what}: {outcome:?}"
                    );
                    talk.now = talk.steps.next();
                }
                assert_eq!(sink.writer_mut().calls, calls, "{what}");
                assert!(talk.clicks() <= clicks, "{what}");
                continue;
            }
            went_on += 1;
            assert_eq!(outcome, Ok(None), "{what}");
            same(&sink.writer_mut().taken, &whole, &what);
            assert_eq!(talk.conn.sent(), whole.len() as u64, "{what}");
            assert_eq!(talk.clicks(), clicks, "{what}");
        }
    }
    assert!(went_on != 0, "a frame begins somewhere");
}

#[test]
fn circuits_over_drivers_that_fail_at_any_byte() {
    for end in 0..ENDINGS {
        drivers::<NoStore>(end);
        drivers::<Kept>(end);
    }
}

/// Memory of a few bytes at first, and of what is asked for then.
fn memory<St: Store + 'static>(end: usize) {
    let (whole, (steps, clicks)) = (whole::<St>(end), conversation(end));
    for room in first(end, &whole)..=whole.len() {
        let mut talk = Talk::<St>::new(steps.clone());
        let (mut out, mut room_now) = (Vec::new(), room);
        loop {
            let mut memory = vec![0xa5; room_now];
            let mut sink = Memory(onewrite::sink::SliceSink::new(&mut memory));
            let outcome = talk.go_on(&mut sink).unwrap();
            out.extend_from_slice(sink.0.into_written());
            let Some(needed) = outcome else { break };
            room_now = needed;
        }
        same(&out, &whole, &format!("{room}"));
        assert_eq!(talk.clicks(), clicks, "{room}");
    }
}

#[test]
fn circuits_in_memory_that_is_too_short_by_any_number_of_bytes() {
    for end in 0..ENDINGS {
        memory::<Kept>(end);
    }
}

/// A queue that is full before a message is not an error. One that is full inside it is: nothing was to be
/// had of its memory beforehand.
fn queues<St: Store + 'static>(end: usize) {
    let (whole, (steps, clicks)) = (whole::<St>(end), conversation(end));
    for room in first(end, &whole)..=whole.len() {
        let mut talk = Talk::<St>::new(steps.clone());
        let mut sink = Memory(Queue::of(room));
        let outcome = talk.go_on(&mut sink);
        same(&sink.0.bytes, &whole[..sink.0.bytes.len()], &format!("{room}"));
        match outcome {
            Ok(None) => assert_eq!(room, whole.len()),
            Ok(Some(needed)) => {
                assert!(!sink.0.poisoned && needed > room - sink.0.bytes.len(), "{room}");
                // With just that, it goes on.
                let at = sink.0.bytes.len();
                sink.0.limit = at + needed;
                let went_on = talk.go_on(&mut sink).is_ok();
                assert!(went_on && sink.0.bytes.len() > at, "{room}");
                sink.0.limit = usize::MAX;
                assert_eq!(talk.go_on(&mut sink), Ok(None), "{room}");
                same(&sink.0.bytes, &whole, &format!("{room}"));
                assert_eq!(talk.clicks(), clicks, "{room}");
            }
            Err(error) => {
                assert!(matches!(error.kind, WriteErrorKind::Full { .. }), "{room}: {error}");
                assert!(sink.0.poisoned, "{room}: {error}");
            }
        }
    }
}

#[test]
fn circuits_in_queues_that_are_too_short_by_any_number_of_bytes() {
    for end in 0..ENDINGS {
        queues::<NoStore>(end);
        if end != 0 {
            queues::<Kept>(end);
        }
    }
}
