//! Messages that are put together.

use onewrite::websocket::{
    Assembly, Client, Data, Error, ErrorKind, Limits, Message, Receiver, Role, Server,
};

use super::shell::{Echo, masked, plain};

#[test]
fn a_message_that_lies_whole_in_the_input_takes_no_memory() {
    let mut assembly = Assembly::new(&mut []);
    let mut receiver = Receiver::<Client>::new(Limits::DEFAULT);
    let mut bytes = [plain(0x82, &[7; 300]), plain(0x81, b"text"), plain(0x82, b"")].concat();
    let range = bytes.as_ptr_range();
    let mut input = bytes.as_mut_slice();
    let Ok(Some(Message::Data(Data::Binary(data)))) = assembly.next(&mut receiver, &mut input)
    else {
        panic!("no message")
    };
    assert!(range.contains(&data.as_ptr()) && data == [7; 300]);
    let text = assembly.next(&mut receiver, &mut input);
    assert_eq!(text, Ok(Some(Message::Data(Data::Text("text")))));
    let empty = assembly.next(&mut receiver, &mut input);
    assert_eq!(empty, Ok(Some(Message::Data(Data::Binary(b"")))));
    assert_eq!(assembly.next(&mut receiver, &mut input), Ok(None));
}

#[test]
fn memory_grows_with_what_arrives_and_not_with_what_is_announced() {
    let (mut small, mut middle, mut large) = ([0xa5; 16], [0xa5; 100], [0xa5; 1000]);
    let payload: Vec<u8> = (0..250u8).collect();
    let bytes = plain(0x82, &payload);
    let mut receiver = Receiver::<Client>::new(Limits::DEFAULT);
    let mut assembly = Assembly::new(&mut small);
    let mut first = bytes[..4 + 10].to_vec();
    assert_eq!(assembly.next(&mut receiver, &mut first.as_mut_slice()), Ok(None));
    assert_eq!(assembly.held(), &payload[..10]);

    let mut second = bytes[14..14 + 20].to_vec();
    let mut input = second.as_mut_slice();
    let kind = ErrorKind::NeedsRoom { at_least: 30, announced: 250 };
    let error = Err(Error { at: 0, kind });
    // As often as one asks.
    assert_eq!(assembly.next(&mut receiver, &mut input), error);
    assert_eq!(assembly.next(&mut receiver, &mut input), error);
    assert_eq!(input.len(), 20);
    assert_eq!(assembly.lend(&mut middle).unwrap().len(), 16);
    assert_eq!(assembly.next(&mut receiver, &mut input), Ok(None));

    let mut third = bytes[34..].to_vec();
    let mut input = third.as_mut_slice();
    let kind = ErrorKind::NeedsRoom { at_least: 250, announced: 250 };
    assert_eq!(assembly.next(&mut receiver, &mut input), Err(Error { at: 0, kind }));
    let mut tiny = [0; 29];
    assert_eq!(assembly.lend(&mut tiny).unwrap_err().len(), 29, "it holds thirty bytes");
    let middle = assembly.lend(&mut large).unwrap();
    let message = assembly.next(&mut receiver, &mut input);
    assert_eq!(message, Ok(Some(Message::Data(Data::Binary(&payload)))));
    // And small again for the next one.
    assert_eq!(assembly.lend(middle).unwrap().len(), 1000);
    assert_eq!((assembly.capacity(), assembly.held().len()), (100, 0));
}

#[test]
fn what_is_too_long_for_every_memory_is_refused_with_1009() {
    let mut echo = Echo::new();
    assert!(echo.feed(&mut masked(0x02, &[0; 100])));
    assert_eq!(echo.lent, 1);
    let kind = ErrorKind::NeedsRoom { at_least: 1, announced: 1 };
    assert_eq!(kind.close_code().get(), 1009);
}

#[test]
fn control_frames_come_between_the_pieces() {
    let mut room = [0; 32];
    let mut assembly = Assembly::new(&mut room);
    let mut receiver = Receiver::<Client>::new(Limits::DEFAULT);
    let bytes =
        [plain(0x01, b"one "), plain(0x89, b"?"), plain(0x8a, b"!"), plain(0x80, b"two")].concat();
    let mut said = Vec::new();
    for byte in bytes {
        let mut piece = [byte];
        let mut input = piece.as_mut_slice();
        while let Some(message) = assembly.next(&mut receiver, &mut input).unwrap() {
            said.push(format!("{message:?}"));
        }
    }
    assert_eq!(said, ["Ping([63])", "Pong([33])", "Data(Text(\"one two\"))"]);
}

const LIMITS: Limits = Limits { frame: 250, message: 200 };

/// What is put together of `pieces`, why it ends, and how much was read if it does not.
fn put_together<R: Role>(limits: Limits, pieces: &[&[u8]]) -> (Vec<String>, Result<u64, Error>) {
    let mut room = [0xa5; 300];
    let mut assembly = Assembly::new(&mut room);
    let mut receiver = Receiver::<R>::new(limits);
    let mut said = Vec::new();
    for piece in pieces {
        let mut piece = piece.to_vec();
        let mut input = piece.as_mut_slice();
        loop {
            match assembly.next(&mut receiver, &mut input) {
                Ok(Some(message)) => said.push(format!("{message:?}")),
                Ok(None) => break,
                Err(error) => {
                    assert_eq!(assembly.next(&mut receiver, &mut [].as_mut_slice()), Err(error));
                    return (said, Err(error));
                }
            }
        }
        assert!(input.is_empty());
    }
    (said, Ok(receiver.position()))
}

/// A frame with these two bytes, the longer length that the second one asks for, and a key if it says so.
fn frame(first: u8, second: u8, len: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first, second];
    match second & 0x7f {
        126 => bytes.extend(u16::try_from(len).unwrap().to_be_bytes()),
        127 => bytes.extend(len.to_be_bytes()),
        _ => {}
    }
    let key: &[u8] = if second & 0x80 != 0 { &[0x37, 0xfa, 0x21, 0x3d] } else { &[] };
    bytes.extend(key);
    let len = payload.len().min(usize::try_from(len).unwrap());
    bytes.extend((0..len).map(|at| payload[at] ^ key.get(at % 4).unwrap_or(&0)));
    bytes
}

/// Frames that lie whole in the input are read in another way than what comes in pieces.
#[test]
fn whole_frames_say_what_they_say_in_pieces() {
    let mut texts = [vec![b'x'; 300], "\u{20ac}".repeat(100).into_bytes(), vec![b'x'; 300]];
    texts[2][120] = 0xff;
    let (mut refused, mut taken) = (0, 0);
    for first in [0x00, 0x01, 0x02, 0x80, 0x81, 0x82, 0x83, 0x89, 0xc1, 0xa2] {
        let lengths = [(0, 0), (3, 3), (6, 6), (125, 125), (126, 125), (126, 126), (126, 200)];
        for (short, len) in lengths.into_iter().chain([(126, 201), (127, 126)]) {
            for (text, wrong) in [(0, 0), (1, 0), (2, 0), (0, 0x80)] {
                for mask in [0, 0x80] {
                    let tested = frame(first, mask ^ wrong | short, len, &texts[text]);
                    let before = [
                        vec![],
                        frame(0x81, mask | 5, 5, b"Hello"),
                        frame(0x01, mask | 4, 4, "no \u{e4}".as_bytes()),
                        frame(0x02, mask | 4, 4, b"half"),
                        frame(0x89, mask | 1, 1, b"?"),
                    ];
                    let behind = frame(0x82, mask | 2, 2, b"on");
                    for before in before {
                        let bytes = [&before[..], &tested, &behind].concat();
                        let read =
                            if mask == 0 { put_together::<Client> } else { put_together::<Server> };
                        let whole = read(LIMITS, &[&bytes]);
                        let (start, end) = bytes.split_at(before.len() + tested.len() / 2);
                        assert_eq!(read(LIMITS, &[start, end]), whole, "{bytes:02x?}");
                        let bytes: Vec<&[u8]> = bytes.chunks(1).collect();
                        assert_eq!(read(LIMITS, &bytes), whole, "{bytes:02x?}");
                        *if whole.1.is_ok() { &mut taken } else { &mut refused } += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 1000 && taken > 250, "{refused} {taken}");
}

#[test]
fn limits_hold_for_frames_that_lie_whole_in_the_input() {
    let bytes = frame(0x82, 126, 200, &[1; 200]);
    let read = |frame, message| put_together::<Client>(Limits { frame, message }, &[&bytes]).1;
    let refused = |kind| Err(Error { at: 0, kind });
    assert_eq!(read(200, 200), Ok(204));
    assert_eq!(read(199, 200), refused(ErrorKind::FrameTooLarge { len: 200, limit: 199 }));
    assert_eq!(read(200, 199), refused(ErrorKind::MessageTooLarge { len: 200, limit: 199 }));
}

/// Behind half a header, the rest of it may look like a frame.
#[test]
fn half_a_header_has_the_next_bytes_whatever_they_look_like() {
    // Two bytes with the key 82 80 00 00, then an empty message.
    let bytes = b"\x82\x82\x82\x80\0\0\x83\x82\x82\x80\0\0\0\0";
    let read = put_together::<Server>(LIMITS, &[&bytes[..1], &bytes[1..]]);
    let said = ["Data(Binary([1, 2]))", "Data(Binary([]))"].map(str::to_owned);
    assert_eq!(read, (said.to_vec(), Ok(14)));
}

#[test]
fn a_message_that_was_handed_on_is_held_no_longer_than_to_the_next() {
    let mut room = [0; 8];
    let mut assembly = Assembly::new(&mut room);
    let mut receiver = Receiver::<Client>::new(LIMITS);
    let mut bytes = [plain(0x02, b"ha"), plain(0x80, b"lf"), plain(0x82, b"whole")].concat();
    let mut input = bytes.as_mut_slice();
    for (message, held) in [(&b"half"[..], &b"half"[..]), (b"whole", b"")] {
        let said = assembly.next(&mut receiver, &mut input);
        assert_eq!(said, Ok(Some(Message::Data(Data::Binary(message)))));
        assert_eq!(assembly.held(), held);
    }
}
