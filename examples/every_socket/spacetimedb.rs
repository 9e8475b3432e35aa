//! SpacetimeDB's clients, as far as they are on a WebSocket: what comes in, what is asked.

use core::hint::black_box;

use onewrite::sink::CountingSink;
use onewrite::spacetimedb::connection::{Connection, ConnectionError, Feed, Incoming};
use onewrite::spacetimedb::stream::{Change, MessageStream, Summary, Version};
use onewrite::spacetimedb::{Address, Arguments, Compression, Pending, Queries, Request, bearer};
use onewrite::websocket::Limits;

/// Payloads: plain in two frames with a ping between, in each compression, of no byte, a close frame, and
/// what may be anything.
const FRAMES: [u8; 57] = *b"\x02\x08\0\x03\x01\x09\0\0\0\x02\x89\x01?\x80\x05\0\0\0no\
    \x82\x05\x01\x0b\0\x80a\x82\x06\x02\x1f\x8b\x08\0\0\x82\0\x88\x02\x03\xe8rest of it, also";

#[inline(never)]
pub(crate) fn call() {
    let (mut room, mut body) = ([0; 16], [0; 64]);
    for cut in [0, 3, 20, FRAMES.len()] {
        for version in black_box([Version::V1, Version::V2, Version::V3]) {
            incoming(version, black_box(cut), black_box(&mut room), black_box(&mut body));
            outgoing(version, black_box("name"), black_box(b"arguments"));
        }
    }
    addresses(black_box("name"), black_box(&mut [0; 64]));
    pending(black_box(7));
}

#[inline(never)]
fn incoming(version: Version, cut: usize, room: &mut [u8], body: &mut [u8]) {
    let mut frames = FRAMES;
    let mut connection = Connection::<64>::new(version, black_box(Limits::DEFAULT));
    let mut summary = Summary::new();
    black_box(<Summary as Default>::default());
    let (first, second) = frames.split_at_mut_checked(cut).unwrap_or_default();
    black_box(Connection::lend_payload(black_box(&mut connection), room)).ok();
    for piece in [black_box(first), black_box(second)] {
        let mut feed = Connection::feed(black_box(&mut connection), piece);
        for _ in 0..40 {
            match Feed::next(black_box(&mut feed)) {
                Ok(Some(Incoming::Part(event))) => Summary::note(&mut summary, black_box(&event)),
                Ok(Some(other)) => {
                    black_box(other);
                }
                Ok(None) => break,
                Err(error) => {
                    black_box(ConnectionError::is_resumable(black_box(&error)));
                    black_box(ConnectionError::close_code(black_box(&error)));
                }
            }
        }
        black_box(Feed::connection(black_box(&mut feed)));
    }
    black_box(Connection::lend_body(black_box(&mut connection), body)).ok();
    MessageStream::skip_table(Connection::stream(black_box(&mut connection)));
    black_box((Connection::is_closed(&connection), Connection::is_between(&connection)));
    black_box((Connection::position(&connection), Connection::payloads(&connection)));
    let summary = black_box(&summary);
    let own = black_box(None);
    black_box((Summary::kind(summary), Summary::answers(summary, own), Summary::outcome(summary)));
    black_box(Summary::is_of_another(summary, own));
    black_box((Summary::request_id(summary), Summary::query_set_id(summary)));
    black_box((Summary::connection_id(summary), Summary::effect(summary, Change::Matches)));
}

#[inline(never)]
fn outgoing(version: Version, name: &str, args: &[u8]) {
    let mut out = [0; 64];
    let out = black_box(&mut out[..]);
    let queries = [name];
    for request in [
        Request::Subscribe { query_set_id: 7, queries: Queries::new(&queries) },
        Request::Unsubscribe { query_set_id: 7 },
        Request::Query { query: name },
        Request::CallReducer { reducer: name, args },
        Request::CallProcedure { procedure: name, args },
    ] {
        let request: Request<'_> = black_box(request);
        black_box(Request::encoded_len(&request, version));
        black_box(Request::write_into(&request, version, black_box(7), out)).ok();
        black_box(Request::write_to(&request, version, 7, &mut CountingSink::new())).ok();
    }
    let typed = Request::CallReducer { reducer: name, args: Arguments((7u32, name)) };
    black_box(Request::write_into(black_box(&typed), version, black_box(7), out)).ok();
    black_box(Version::from_subprotocol(black_box(Version::subprotocol(version))));
}

#[inline(never)]
fn addresses(name: &str, out: &mut [u8]) {
    let all = Address {
        compression: Compression::Gzip,
        confirmed: Some(true),
        light: true,
        connection_id: Some(black_box(<_>::default())),
        ..Address::of(name)
    };
    black_box(Address::target(black_box(&all), out)).ok();
    black_box(bearer(name, out)).ok();
    black_box(Compression::name(black_box(<Compression as Default>::default())));
}

#[inline(never)]
fn pending(last: u32) {
    black_box(Pending::<u8, 2>::new());
    black_box(<Pending<u8, 2> as Default>::default());
    let mut pending = Pending::<u8, 2>::after(last);
    for what in 0..4 {
        black_box(Pending::begin(black_box(&mut pending), what)).ok();
    }
    black_box(Pending::end(black_box(&mut pending), black_box(8)));
    for (id, what) in Pending::iter(black_box(&pending)) {
        black_box((id, what));
    }
    black_box((Pending::len(&pending), Pending::is_empty(&pending)));
    Pending::clear(black_box(&mut pending));
}
