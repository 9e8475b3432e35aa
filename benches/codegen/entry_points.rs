//! The ways into the library, one function each: what is kept of them is the stack that they take.
#![cfg_attr(target_os = "none", no_std)]

use embedded_io::ErrorKind;
use onewrite::bsatn::{Decode, Encode, RowList, StreamError, Walker};
use onewrite::circuit::event::Event;
use onewrite::circuit::json::Text;
use onewrite::circuit::secret::CircuitSecret;
use onewrite::circuit::{self, BatchSink, Handled, Handler, NoStore};
use onewrite::compression::{DecompressError, Tables, brotli, gzip};
use onewrite::error::{DecodeError, WriteError};
use onewrite::http::{Conn, Fed, Routes};
use onewrite::page::{Content, Draft, Page};
use onewrite::record::WriteRecord as _;
use onewrite::render_batch::{
    self, Batch, BatchError, BatchProducer, BatchView, FrameRecord, TreeError, validate_tree,
};
use onewrite::sink::embedded_io::StreamSink;
use onewrite::sink::{Producer as _, Sink as _, SliceSink};
use onewrite::spacetimedb::connection::Connection;
use onewrite::spacetimedb::multi_dictionary::{Applied, ApplyError, Delta, Mode, MultiDictionary};
use onewrite::spacetimedb::stream::{self, MessageStream};
use onewrite::spacetimedb::{v1, v2};
use onewrite::string_table::{Interned, Interner as _, StringTable, hash};
use onewrite::websocket::{
    Ask, Assembly, ClientHandshake, Data, Error, Message, Receiver, Request, Sender, Server,
};
use onewrite_codegen::Driver;

type Strings = StringTable<1024>;
type WriteResult<E = core::convert::Infallible> = Result<(), WriteError<E>>;

/// A row of every kind of column.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
struct Row<'a> {
    id: u32,
    hp: i32,
    alive: bool,
    name: &'a str,
    score: u64,
}

#[unsafe(no_mangle)]
fn bench_slice_sink_write(sink: &mut SliceSink<'_>, bytes: &[u8]) -> WriteResult {
    sink.write(bytes)
}

#[unsafe(no_mangle)]
fn bench_stream_sink_write_records(
    sink: &mut StreamSink<Driver>,
    frames: &[FrameRecord],
) -> WriteResult<ErrorKind> {
    sink.write_records(frames)
}

#[unsafe(no_mangle)]
fn bench_string_table_intern(table: &mut Strings, text: &str, strings: &[&str]) -> Interned {
    table.intern(text, hash(text), 1, 2, strings)
}

#[unsafe(no_mangle)]
fn bench_render_batch_write_into(
    table: &mut Strings,
    batch: &Batch<'_>,
    out: &mut [u8],
) -> Result<usize, BatchError> {
    render_batch::write_into(table, batch, out)
}

#[unsafe(no_mangle)]
fn bench_render_batch_next_chunk(
    producer: &mut BatchProducer<'_, &mut Strings>,
    scratch: &mut [u8],
) -> Result<usize, BatchError> {
    producer.next_chunk(scratch)
}

#[unsafe(no_mangle)]
fn bench_render_batch_strict(bytes: &[u8]) -> Result<BatchView<'_>, DecodeError> {
    BatchView::strict(bytes)
}

#[unsafe(no_mangle)]
fn bench_render_batch_validate_tree(batch: &BatchView<'_>) -> Result<(), TreeError> {
    validate_tree(batch)
}

#[unsafe(no_mangle)]
fn bench_bsatn_encode(row: &Row<'_>, sink: &mut SliceSink<'_>) -> WriteResult {
    row.encode(sink)
}

#[unsafe(no_mangle)]
fn bench_bsatn_encode_to_stream(
    row: &Row<'_>,
    sink: &mut StreamSink<Driver>,
) -> WriteResult<ErrorKind> {
    row.encode(sink)
}

#[unsafe(no_mangle)]
fn bench_bsatn_decode(bytes: &[u8]) -> Result<(Row<'_>, &[u8]), DecodeError> {
    Row::take_from(bytes)
}

#[unsafe(no_mangle)]
fn bench_bsatn_row_list(bytes: &[u8]) -> Result<(RowList<'_>, &[u8]), DecodeError> {
    RowList::take_from(bytes)
}

#[unsafe(no_mangle)]
fn bench_bsatn_walker(walker: Walker<'_, '_>) -> bool {
    walker.skip().is_ok()
}

#[unsafe(no_mangle)]
fn bench_spacetimedb_v1_message(bytes: &[u8]) -> Result<v1::ServerMessage<'_>, DecodeError> {
    Ok(v1::ServerMessage::take_from(bytes)?.0)
}

#[unsafe(no_mangle)]
fn bench_spacetimedb_v2_message(bytes: &[u8]) -> Result<v2::ServerMessage<'_>, DecodeError> {
    Ok(v2::ServerMessage::take_from(bytes)?.0)
}

#[unsafe(no_mangle)]
fn bench_spacetimedb_stream_next<'e, 'p: 'e>(
    stream: &'e mut MessageStream<'_, 64>,
    piece: &mut &'p [u8],
) -> Result<Option<stream::Event<'e>>, StreamError> {
    stream.next(piece)
}

#[unsafe(no_mangle)]
fn bench_multi_dictionary_apply(
    table: &mut MultiDictionary<u32, [u8; 12], 64>,
    delta: &mut Delta<u32, [u8; 12], 64>,
) -> Result<Applied, ApplyError> {
    table.apply(delta, Mode::Strict, &mut ())
}

#[unsafe(no_mangle)]
fn bench_gzip_decompress<'o>(
    input: &[u8],
    tables: &mut Tables<{ gzip::MOST_WORDS }>,
    out: &'o mut [u8],
) -> Result<&'o [u8], DecompressError> {
    gzip::decompress(input, tables, out)
}

#[unsafe(no_mangle)]
fn bench_brotli_decompress<'o>(
    input: &[u8],
    tables: &mut Tables<2048>,
    out: &'o mut [u8],
) -> Result<&'o [u8], DecompressError> {
    brotli::decompress(input, tables, out)
}

#[unsafe(no_mangle)]
fn bench_http_feed(
    conn: &mut Conn<16, 1024, 512>,
    routes: &Routes<'_>,
    input: &[u8],
    output: &mut [u8],
) -> Fed {
    conn.feed(routes, input, output)
}

#[unsafe(no_mangle)]
fn bench_websocket_request(bytes: &[u8]) -> bool {
    matches!(Request::decode(bytes, &["a"]), Ok(Some(_)))
}

#[unsafe(no_mangle)]
fn bench_websocket_next<'m>(
    assembly: &'m mut Assembly<'_>,
    receiver: &'m mut Receiver<Server>,
    input: &mut &'m mut [u8],
) -> Result<Option<Message<'m>>, Error> {
    assembly.next(receiver, input)
}

#[unsafe(no_mangle)]
fn bench_websocket_message(
    sender: &mut Sender<Server>,
    data: Data<'_>,
    sink: &mut SliceSink<'_>,
) -> bool {
    sender.message(data, (), sink).is_ok()
}

#[unsafe(no_mangle)]
fn bench_websocket_response(handshake: &ClientHandshake, ask: &Ask<'_>, bytes: &[u8]) -> bool {
    matches!(handshake.response(ask, bytes), Ok(Some(_)))
}

#[unsafe(no_mangle)]
fn bench_spacetimedb_connection_next(
    connection: &mut Connection<'_, 64>,
    input: &mut [u8],
) -> bool {
    matches!(connection.feed(input).next(), Ok(Some(_)))
}

#[unsafe(no_mangle)]
fn bench_page_update_32_frames(
    page: &mut Page<32, 128>,
    draft: &mut Draft<32, 128>,
    component: fn(&mut Content<'_>),
    send: fn(&Batch<'_>) -> Result<(), ()>,
) -> bool {
    page.update(draft, component, send).is_ok()
}

/// Pages of which nothing is known.
struct Pages {
    secret: fn() -> Option<CircuitSecret>,
    open: fn(&str, &str) -> Option<u32>,
    root: fn(&mut u32, i32, Text<'_>) -> bool,
    event: fn(&mut u32, &Event<'_>) -> Handled,
    render: fn(&mut u32, &mut dyn BatchSink),
}

impl Handler for Pages {
    type Page = u32;

    fn secret(&mut self) -> Option<CircuitSecret> {
        (self.secret)()
    }

    fn open(&mut self, base_uri: &str, uri: &str) -> Option<u32> {
        (self.open)(base_uri, uri)
    }

    fn root(&mut self, page: &mut u32, component: i32, descriptor: Text<'_>) -> bool {
        (self.root)(page, component, descriptor)
    }

    fn event(&mut self, page: &mut u32, event: &Event<'_>) -> Handled {
        (self.event)(page, event)
    }

    fn render(&mut self, page: &mut u32, out: &mut dyn BatchSink) {
        (self.render)(page, out);
    }
}

#[unsafe(no_mangle)]
fn bench_circuit_feed(
    connection: &mut circuit::Connection<'_, 2048>,
    server: &mut circuit::Server<'_, Pages, NoStore, &mut Strings>,
    input: &mut &mut [u8],
    sink: &mut SliceSink<'_>,
) -> bool {
    connection.feed(server, input, sink).is_ok()
}
