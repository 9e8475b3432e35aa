//! Messages that are put together.

use onewrite::websocket::{Assembly, Client, Data, Error, ErrorKind, Limits, Message, Receiver};

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
