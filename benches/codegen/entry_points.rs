//! The ways into the library, one function each: what is kept of them is the stack that they take.
#![cfg_attr(target_os = "none", no_std)]

use embedded_io::ErrorKind;
use onewrite::bsatn::{Decode, Encode, RowList, StreamError, Walker};
use onewrite::compression::{DecompressError, Tables, brotli, gzip};
use onewrite::error::{DecodeError, WriteError};
use onewrite::http::{Conn, Fed, Routes};
use onewrite::record::WriteRecord as _;
use onewrite::render_batch::{
    self, Batch, BatchError, BatchProducer, BatchView, FrameRecord, TreeError, validate_tree,
};
use onewrite::sink::embedded_io::StreamSink;
use onewrite::sink::{Producer as _, Sink as _, SliceSink};
use onewrite::spacetimedb::multi_dictionary::{Applied, ApplyError, Delta, Mode, MultiDictionary};
use onewrite::spacetimedb::stream::{self, MessageStream};
use onewrite::spacetimedb::{v1, v2};
use onewrite::string_table::{Interned, Interner as _, StringTable, hash};
use onewrite::websocket::{Assembly, Data, Error, Message, Receiver, Request, Sender, Server};
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
