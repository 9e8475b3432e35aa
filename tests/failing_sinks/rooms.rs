//! Writers to a slice of the caller's: what does not fit is refused with what it takes.

use onewrite::bsatn::{Encode as _, RowListWriter};
use onewrite::circuit::json::{Text, Value};
use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::http::{Header, Parts, PartsError};
use onewrite::record::{copy_slice, write_slice};
use onewrite::render_batch::{BatchError, FrameRecord, write_into};
use onewrite::spacetimedb::stream::Version;
use onewrite::spacetimedb::{Address, Arguments, Compression, Request, bearer, v1, v3};
use onewrite::string_table::{SlimStringTable, StringTable};
use onewrite::template;
use onewrite::websocket::{Client, Kind, Part, Role as _, Sender, Server};

use super::batches::BATCH;
use super::values::{EVERYTHING, PORTS, READINGS, call};
use super::websocket::KEY;

/// A row of the table.
pub(crate) struct Room {
    name: &'static str,
    /// The functions of the library that it stands for.
    pub(crate) covers: &'static [&'static str],
    /// Whether the slice has no meaning where something did not fit.
    spoils: bool,
    /// Writes to a slice: the length, or what the error says is needed.
    write: fn(&mut [u8]) -> Result<usize, usize>,
}

const fn room(
    name: &'static str,
    covers: &'static [&'static str],
    write: fn(&mut [u8]) -> Result<usize, usize>,
) -> Room {
    Room { name, covers, spoils: false, write }
}

/// Where the documentation says that nothing can be said of the slice.
const fn spoiled(
    name: &'static str,
    covers: &'static [&'static str],
    write: fn(&mut [u8]) -> Result<usize, usize>,
) -> Room {
    Room { name, covers, spoils: true, write }
}

/// A new writer to a slice belongs here.
pub(crate) const ROOMS: &[Room] = &[
    room("records", &["record::slice::write_slice"], |out| {
        full(out.len(), write_slice(&[FrameRecord::text(7); 3], out))
    }),
    room("records as they lie", &["record::copy::copy_slice"], |out| {
        full(out.len(), copy_slice(&READINGS, out))
    }),
    room("records that lie otherwise", &[], |out| full(out.len(), copy_slice(&PORTS, out))),
    room("a template", &["template!: fill_slice"], |out| {
        template!(HEAD = "content-length: ", len: dec(3), "\r\n");
        full(out.len(), HEAD.fill_slice(out, 11))
    }),
    room("a value", &["bsatn::encode::Encode::encode_to_slice"], |out| {
        full(out.len(), EVERYTHING.encode_to_slice(out))
    }),
    room("a list of rows", &[], |out| {
        full(out.len(), RowListWriter::new(&["a", "", "name"]).encode_to_slice(out))
    }),
    room("a value of serde", &["bsatn::serde::to_slice"], |out| {
        full(out.len(), onewrite::bsatn::serde::to_slice(&(7u16, Some("hi")), out))
    }),
    room("version 1", &["spacetimedb::v1::client::ClientMessage::write_into"], |out| {
        let message: v1::ClientMessage<'_> =
            v1::ClientMessage::OneOffQuery { message_id: &[1, 2], query: "SELECT * FROM lamp" };
        full(out.len(), message.write_into(out))
    }),
    room("version 2", &["spacetimedb::v2::client::ClientMessage::write_into"], |out| {
        full(out.len(), call(4).write_into(out))
    }),
    room("version 3", &["spacetimedb::v3::write_into"], |out| {
        full(out.len(), v3::write_into(&[call(4), call(5)], out))
    }),
    room("a request", &["spacetimedb::request::Request::write_into"], |out| {
        let request = Request::CallReducer { reducer: "say", args: Arguments((7u32, "hi")) };
        full(out.len(), request.write_into(Version::V1, 7, out))
    }),
    spoiled("an address", &["spacetimedb::address::Address::target"], |out| {
        let address = Address { compression: Compression::Gzip, ..Address::of("a database") };
        address.target(out).map(str::len).map_err(|error| error.needed)
    }),
    spoiled("a token", &["spacetimedb::address::bearer"], |out| {
        bearer("a token", out).map(str::len).map_err(|error| error.needed)
    }),
    spoiled("a batch", &["render_batch::in_place::write_into"], |out| {
        batch(write_into(&mut StringTable::<16>::new(), &BATCH, out))
    }),
    spoiled("a batch, through a slim table", &[], |out| {
        batch(write_into(&mut SlimStringTable::<16>::new(), &BATCH, out))
    }),
    room("a frame in front of what a client sends", &["websocket::sender::Sender::seal"], |out| {
        let sealed = Sender::<Client>::new().seal(Part::Whole(Kind::Text), out, 5, KEY);
        sealed.map(|_| Client::HEAD_ROOM + 5).map_err(no_room)
    }),
    room("a frame in front of what a server sends", &[], |out| {
        let sealed = Sender::<Server>::new().seal(Part::Whole(Kind::Text), out, 130, ());
        sealed.map(|_| Server::HEAD_ROOM + 130).map_err(no_room)
    }),
    spoiled("a text of JSON", &["circuit::json::text::Text::unescape"], |out| {
        text().unescape(out).map(str::len).map_err(|error| error.needed)
    }),
    spoiled("a copy of a text of JSON", &["circuit::json::text::Text::copy_to"], |out| {
        text().copy_to(out).map(str::len).map_err(|error| error.needed)
    }),
    spoiled("a response", &["http::response::form::Parts::http1_in"], |out| {
        parts(PARTS.http1_in(out))
    }),
    spoiled("a response of HTTP/2", &["http::response::form::Parts::http2_in"], |out| {
        parts(PARTS.http2_in(out))
    }),
    spoiled("both", &["http::response::parts::Parts::response_in"], |out| {
        let made = PARTS.response_in(out, &mut []).map(|_| PARTS.len());
        parts(made)
    }),
];

const PARTS: Parts<'static> =
    Parts::new(200).headers(&[Header::new("content-type", "text/plain")]).body(b"Hello");

fn text() -> Text<'static> {
    let json = r#""a \"text\" of \u00e4 few \ud83d\ude00 letters""#;
    Value::parse(json).unwrap().text().unwrap()
}

fn no_room(error: onewrite::websocket::SendError) -> usize {
    let onewrite::websocket::SendError::NoRoom { needed, .. } = error else { panic!("{error}") };
    needed
}

fn parts(result: Result<usize, PartsError>) -> Result<usize, usize> {
    result.map_err(|error| match error {
        PartsError::Full { bytes, holes: 0 } => bytes,
        error => panic!("{error:?}"),
    })
}

fn batch(result: Result<usize, BatchError>) -> Result<usize, usize> {
    result.map_err(|error| match error {
        BatchError::BufferTooSmall { needed, .. } => needed,
        error => panic!("{error}"),
    })
}

/// What did not fit, in a slice of `room` bytes.
fn full<E, P: std::fmt::Debug>(
    room: usize,
    result: Result<usize, WriteError<E, P>>,
) -> Result<usize, usize> {
    result.map_err(|WriteError { written, kind }| match kind {
        WriteErrorKind::Full { needed, available } => {
            assert_eq!((written, available), (0, room));
            needed
        }
        WriteErrorKind::Encode(error) => panic!("{error:?}"),
        _ => panic!("of no slice"),
    })
}

#[test]
fn slices_that_are_too_short_by_any_number_of_bytes() {
    for Room { name, spoils, write, .. } in ROOMS {
        let mut whole = vec![0x5a; 2048];
        let len = write(&mut whole).unwrap();
        assert!((1..whole.len()).contains(&len), "{name}");
        whole.truncate(len);
        for room in 0..len {
            let mut buffer = vec![0x5a; room];
            assert_eq!(write(&mut buffer), Err(len), "{name} in {room} bytes");
            assert!(*spoils || buffer == vec![0x5a; room], "{name} in {room} bytes");
        }
        for room in [len, len + 1, len + 20] {
            let mut buffer = vec![0x5a; room];
            assert_eq!(write(&mut buffer), Ok(len), "{name} in {room} bytes");
            assert_eq!(buffer[..len], whole, "{name} in {room} bytes");
            assert!(buffer[len..].iter().all(|byte| *byte == 0x5a), "{name} in {room} bytes");
        }
    }
}
