//! What a sender writes, and what it refuses.

use std::convert::Infallible;

use hex_literal::hex;
use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::sink::{Producer, Sink, SliceSink, write_from};
use onewrite::websocket::{
    Client, Close, CloseCode, Data, Error, ErrorKind, Event, Fragments, FragmentsError, Header,
    Kind, Limits, MAX_REASON, Part, Role, SendError, Sender, Server,
};

use super::shell::{KEY, Said, heard, masked, plain};

/// A stream: no memory, every write counted, and it fails after so many of them.
#[derive(Default)]
struct Stream {
    written: Vec<u8>,
    writes: usize,
    most: Option<usize>,
    poisoned: bool,
}

impl Sink for Stream {
    type Error = &'static str;

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<&'static str>> {
        if self.most.is_some_and(|most| self.writes >= most) {
            return Err(WriteError::new(self.written.len(), WriteErrorKind::Sink("gone")));
        }
        self.writes += 1;
        self.written.extend(bytes);
        Ok(())
    }

    fn reserve(&mut self, _: usize) -> Result<Option<&mut [u8]>, WriteError<&'static str>> {
        Ok(None)
    }

    fn poison(&mut self) {
        self.poisoned = true;
    }
}

const LENS: [usize; 15] =
    [0, 1, 3, 125, 126, 127, 241, 242, 248, 252, 253, 256, 1000, 65_535, 65_536];

#[test]
fn one_message_is_the_same_bytes_whatever_it_is_written_to() {
    for len in LENS {
        let payload: Vec<u8> = (0..len).map(|at| at.to_le_bytes()[0]).collect();
        let data = Data::Binary(&payload);
        let mut buffer = vec![0xa5; len + 14];
        // Server.
        let expected = plain(0x82, &payload);
        let mut sink = SliceSink::new(&mut buffer);
        Sender::<Server>::new().message(data, (), &mut sink).unwrap();
        assert_eq!(sink.into_written(), expected, "{len}");
        let mut stream = Stream::default();
        Sender::<Server>::new().message(data, (), &mut stream).unwrap();
        assert_eq!(stream.written, expected, "{len}");
        assert_eq!(stream.writes, if expected.len() <= 256 { 1 } else { 2 });
        buffer[Server::HEAD_ROOM..][..len].copy_from_slice(&payload);
        let part = Part::Whole(Kind::Binary);
        let sealed = Sender::<Server>::new().seal(part, &mut buffer, len, ()).unwrap();
        assert_eq!(sealed, expected, "{len}");
        let header = Sender::<Server>::new().header(part, len as u64, ()).unwrap();
        assert_eq!([header.as_slice(), &payload].concat(), expected, "{len}");
        // Client.
        let expected = masked(0x82, &payload);
        let mut sink = SliceSink::new(&mut buffer);
        Sender::<Client>::new().message(data, KEY, &mut sink).unwrap();
        assert_eq!(sink.into_written(), expected, "{len}");
        let mut stream = Stream::default();
        Sender::<Client>::new().message(data, KEY, &mut stream).unwrap();
        assert_eq!(stream.written, expected, "{len}");
        assert_eq!(stream.writes, expected.len().div_ceil(256));
        buffer[Client::HEAD_ROOM..][..len].copy_from_slice(&payload);
        let sealed = Sender::<Client>::new().seal(part, &mut buffer, len, KEY).unwrap();
        assert_eq!(sealed, expected, "{len}");
    }
}

#[test]
fn a_full_buffer_stays_as_it_was_and_so_does_the_sender() {
    let mut sender = Sender::<Server>::new();
    for len in 0..7 {
        let mut buffer = vec![0xa5; len];
        let mut sink = SliceSink::new(&mut buffer);
        let refused =
            sender.fragment(Part::First(Kind::Text), b"Hello", (), &mut sink).unwrap_err();
        assert_eq!(refused.kind, WriteErrorKind::Full { needed: 7, available: len });
        assert_eq!(buffer, vec![0xa5; len]);
        let mut sink = SliceSink::new(&mut buffer);
        let refused = sender.close(CloseCode::NORMAL, "Hello", (), &mut sink).unwrap_err();
        assert_eq!(refused.kind, WriteErrorKind::Full { needed: 9, available: len });
    }
    assert!(!sender.is_closed());
    let mut buffer = [0xa5; 14];
    let refused = sender.seal(Part::First(Kind::Text), &mut buffer, 5, ()).unwrap_err();
    assert_eq!(refused, SendError::NoRoom { needed: 15, available: 14 });
    assert_eq!(buffer, [0xa5; 14]);
    // Had a message begun, this would be refused.
    let mut buffer = [0; 7];
    let written = sender.message(Data::Text("Hello"), (), &mut SliceSink::new(&mut buffer));
    assert_eq!((written, buffer), (Ok(()), hex!("8105 48656c6c6f")));
}

#[test]
fn a_stream_that_fails_inside_a_frame_is_poisoned() {
    for most in 0..3 {
        let mut stream = Stream { most: Some(most), ..Stream::default() };
        let refused = Sender::<Client>::new().message(Data::Binary(&[0; 900]), KEY, &mut stream);
        assert_eq!(refused.unwrap_err().kind, WriteErrorKind::Sink("gone"));
        assert_eq!(stream.poisoned, most != 0);
        let mut stream = Stream { most: Some(most), ..Stream::default() };
        let written = Sender::<Server>::new().message(Data::Binary(&[0; 900]), (), &mut stream);
        assert_eq!((written.is_ok(), stream.poisoned), (most == 2, most == 1));
    }
}

#[test]
fn what_may_not_follow_is_refused() {
    let refused = |sender: &mut Sender<Server>, part| {
        let mut buffer = [0; 64];
        let mut sink = SliceSink::new(&mut buffer);
        match sender.fragment(part, b"x", (), &mut sink) {
            Ok(()) => None,
            Err(WriteError { written: 0, kind: WriteErrorKind::Encode(error) }) => Some(error),
            Err(other) => panic!("{other}"),
        }
    };
    let (text, whole) = (Part::First(Kind::Text), Part::Whole(Kind::Binary));
    let mut sender = Sender::<Server>::new();
    for part in [Part::Middle, Part::Last] {
        assert_eq!(refused(&mut sender, part), Some(SendError::NoMessage));
    }
    assert_eq!(refused(&mut sender, text), None);
    for part in [whole, text] {
        assert_eq!(refused(&mut sender, part), Some(SendError::MessageUnfinished));
    }
    assert_eq!(refused(&mut sender, Part::Middle), None);
    let mut buffer = [0; 64];
    let mut sink = SliceSink::new(&mut buffer);
    sender.ping(b"?", (), &mut sink).unwrap();
    sender.pong(b"!", (), &mut sink).unwrap();
    assert_eq!(sink.into_written(), hex!("8901 3f 8a01 21"));
    assert_eq!(refused(&mut sender, Part::Last), None);
    assert_eq!(refused(&mut sender, Part::Last), Some(SendError::NoMessage));
    assert_eq!(sender.header(whole, 1 << 63, ()), Err(SendError::LengthTooLarge));
    assert!(sender.header(whole, (1 << 63) - 1, ()).is_ok());

    let mut sink = SliceSink::new(&mut buffer);
    let encode = |result: Result<(), WriteError<Infallible, SendError>>| match result {
        Err(WriteError { kind: WriteErrorKind::Encode(error), .. }) => error,
        other => panic!("{other:?}"),
    };
    let too_long = SendError::ControlTooLong { len: 126 };
    assert_eq!(encode(sender.ping(&[0; 126], (), &mut sink)), too_long);
    let reason = "r".repeat(MAX_REASON + 1);
    assert_eq!(encode(sender.close(CloseCode::NORMAL, &reason, (), &mut sink)), too_long);
    assert_eq!(sink.written(), 0);
    sender.close(CloseCode::GOING_AWAY, "bye", (), &mut sink).unwrap();
    assert!(sender.is_closed());
    assert_eq!(encode(sender.close_silently((), &mut sink)), SendError::Closed);
    assert_eq!(encode(sender.ping(b"", (), &mut sink)), SendError::Closed);
    assert_eq!(encode(sender.message(Data::Text(""), (), &mut sink)), SendError::Closed);
    let error = Error { at: 0, kind: ErrorKind::NoMessage };
    assert_eq!(sender.fail(error, (), &mut sink), Ok(()));
    assert_eq!(sender.answer(&Event::Ping(b"x"), (), &mut sink), Ok(()));
    assert_eq!(sink.into_written(), hex!("8805 03e9 627965"), "and nothing else");
    assert_eq!(sender.header(whole, 0, ()), Err(SendError::Closed));
}

#[test]
fn answers_are_those_of_the_protocol() {
    let answered = |event: Event<'_>| {
        let mut buffer = [0; 64];
        let mut sink = SliceSink::new(&mut buffer);
        Sender::<Client>::new().answer(&event, [0; 4], &mut sink).unwrap();
        sink.into_written().to_vec()
    };
    assert_eq!(answered(Event::Ping(b"data")), hex!("8a84 00000000 64617461"));
    let close = |code| Event::Close(Close { code, reason: "because" });
    assert_eq!(answered(close(Some(CloseCode::GOING_AWAY))), hex!("8882 00000000 03e9"));
    assert_eq!(answered(close(None)), hex!("8880 00000000"));
    for event in [Event::Pong(b"data"), Event::End, Event::Piece(b"x")] {
        assert_eq!(answered(event), [0; 0]);
    }
    for (kind, code) in [
        (ErrorKind::ReservedBits, 1002u16),
        (ErrorKind::InvalidUtf8, 1007),
        (ErrorKind::FrameTooLarge { len: 2, limit: 1 }, 1009),
        (ErrorKind::MessageTooLarge { len: 2, limit: 1 }, 1009),
    ] {
        let mut buffer = [0; 64];
        let mut sink = SliceSink::new(&mut buffer);
        Sender::<Server>::new().fail(Error { at: 9, kind }, (), &mut sink).unwrap();
        assert_eq!(sink.into_written(), [&[0x88, 2][..], &code.to_be_bytes()].concat());
    }
}

/// Chunks of given lengths, filled with a counter.
struct Chunks<'a>(&'a [usize], u8);

impl Producer for Chunks<'_> {
    type Error = usize;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, usize> {
        let Some((len, rest)) = self.0.split_first() else { return Ok(0) };
        self.0 = rest;
        let room = scratch.len();
        for byte in scratch.get_mut(..*len).ok_or(room)? {
            (*byte, self.1) = (self.1, self.1.wrapping_add(1));
        }
        Ok(*len)
    }
}

#[test]
fn fragments_are_a_frame_a_chunk_and_an_empty_one() {
    let chunks = [1, 125, 126, 1000, 2];
    let expected: Vec<u8> = (0..1254).map(|at: usize| at.to_le_bytes()[0]).collect();
    let mut at = 0;
    let mut bytes = Vec::new();
    for (index, len) in chunks.into_iter().enumerate() {
        bytes.extend(plain(if index == 0 { 0x02 } else { 0x00 }, &expected[at..at + len]));
        at += len;
    }
    bytes.extend(plain(0x80, b""));

    let mut sender = Sender::<Server>::new();
    let fragments = Fragments::new(Kind::Binary, Chunks(&chunks, 0), std::iter::repeat(()));
    let mut stream = Stream::default();
    let mut scratch = [0xa5; 1100];
    let written = write_from(&mut stream, fragments.with(&mut sender), &mut scratch).unwrap();
    assert_eq!((written, stream.writes), (bytes.len(), 6));
    assert_eq!(stream.written, bytes);

    // A client masks each frame with the next key.
    let mut keys = (0..).map(|number: u32| number.to_be_bytes());
    let mut sender = Sender::<Client>::new();
    let mut fragments = Fragments::new(Kind::Binary, Chunks(&chunks, 0), &mut keys);
    let mut masked = Vec::new();
    let mut seen = 0;
    while let Some(frame) = fragments.next_frame(&mut sender, &mut scratch).unwrap() {
        let (header, _) = Header::decode(frame).unwrap().unwrap();
        assert_eq!(header.key, Some(u32::to_be_bytes(seen)));
        masked.extend_from_slice(frame);
        seen += 1;
        // Between two frames others may go out.
        let mut buffer = [0; 16];
        let mut sink = SliceSink::new(&mut buffer);
        sender.ping(b"?", KEY, &mut sink).unwrap();
        masked.extend_from_slice(sink.into_written());
    }
    assert_eq!(fragments.next_frame(&mut sender, &mut scratch), Ok(None));
    let (said, error) = heard::<Server>(Limits::DEFAULT, [masked.as_slice()]);
    let said: Vec<_> = said.into_iter().filter(|said| *said != Said::Ping(b"?".to_vec())).collect();
    let pieces: Vec<u8> = said
        .iter()
        .flat_map(|said| if let Said::Bytes(bytes) = said { bytes.as_slice() } else { &[] })
        .copied()
        .collect();
    assert_eq!((pieces, error), (expected, None));
}

#[test]
fn fragments_fit_every_scratch_or_say_so() {
    for room in 0..300 {
        let mut scratch = vec![0; room];
        let mut sender = Sender::<Server>::new();
        // As much as it is given.
        let mut fragments = Fragments::new(Kind::Text, Greedy(3), std::iter::repeat(()));
        let mut bytes = Vec::new();
        let ended = loop {
            match fragments.next_frame(&mut sender, &mut scratch) {
                Ok(Some(frame)) => bytes.extend_from_slice(frame),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        if room < 3 {
            let needed = SendError::NoRoom { needed: 3, available: room };
            assert_eq!(ended, Some(FragmentsError::Send(needed)));
            continue;
        }
        assert_eq!(ended, None);
        let payload = if room <= 127 { room - 2 } else { room - 4 };
        let text = vec![b'a'; payload];
        let expected =
            [plain(0x01, &text), plain(0x00, &text), plain(0x00, &text), plain(0x80, b"")].concat();
        assert_eq!(bytes, expected, "{room}");
    }
    let mut scratch = [0; 64];
    let mut sender = Sender::<Client>::new();
    let mut fragments = Fragments::new(Kind::Text, Greedy(3), [KEY].into_iter());
    assert!(fragments.next_frame(&mut sender, &mut scratch).is_ok());
    let ended = fragments.next_frame(&mut sender, &mut scratch);
    assert_eq!(ended, Err(FragmentsError::Send(SendError::NoKey)));
    // A message of nothing is one frame.
    let mut sender = Sender::<Server>::new();
    let mut fragments = Fragments::new(Kind::Text, Greedy(0), std::iter::repeat(()));
    assert_eq!(fragments.next_frame(&mut sender, &mut scratch), Ok(Some(&[0x81, 0][..])));
    assert_eq!(fragments.next_frame(&mut sender, &mut scratch), Ok(None));
    // What a producer says goes through.
    let mut fragments = Fragments::new(Kind::Text, Chunks(&[100], 0), std::iter::repeat(()));
    let ended = fragments.next_frame(&mut sender, &mut scratch);
    assert_eq!(ended, Err(FragmentsError::Producer(62)));
    let mut fragments = Fragments::new(Kind::Text, Liar, std::iter::repeat(()));
    let ended = fragments.next_frame(&mut sender, &mut scratch);
    assert_eq!(ended, Err(FragmentsError::Miscounted { offered: 62, claimed: 63 }));
}

/// Fills what it is given, so many times.
struct Greedy(usize);

impl Producer for Greedy {
    type Error = Infallible;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Infallible> {
        let Some(left) = self.0.checked_sub(1) else { return Ok(0) };
        self.0 = left;
        scratch.fill(b'a');
        Ok(scratch.len())
    }
}

/// Claims a byte more than it was given room for.
struct Liar;

impl Producer for Liar {
    type Error = Infallible;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Infallible> {
        Ok(scratch.len() + 1)
    }
}
