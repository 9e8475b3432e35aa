//! The interface for C, called as a C program would: pointers and lengths are right, and what they lead to
//! is not.
//!
//! Every pointer is of a slice or a value that lives on the stack of the caller, or in a vector that is not
//! changed meanwhile, and no two that are handed over at a time overlap unless both are read. That is what
//! each `SAFETY` below means by "see the module".

use std::ffi::c_void;
use std::ptr;

use onewrite::bsatn::{Encode, RowList, RowListWriter};
use onewrite::render_batch::{BatchView, validate_tree};
use onewrite_capi::{
    BsatnReader, BsatnRowList, BsatnWriter, Bytes, HttpConn, HttpCounters, HttpFed, HttpField,
    HttpResponse, HttpSite, HttpSiteOptions, RenderBatch, RenderBatchOptions, RenderEdit,
    RenderFrame, Status,
};

use crate::Numbers;

/// Calls a function of the interface.
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: see the module.
        unsafe { onewrite_capi::$name($($argument),*) }
    };
}

mod mistakes;

/// A program of calls. The first byte says of which part:
///
/// | byte, modulo 7 | part |
/// |---|---|
/// | 0 | values of BSATN, read and written again |
/// | 1 | a row list, read and written again |
/// | 2 | a batch, built of what the bytes say |
/// | 3 | a batch that came from elsewhere |
/// | 4 | a site with a path and a response, and what a client sends |
/// | 5 | numbers in records and varints |
/// | 6 | the text of a status, and what no program may hand over |
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn capi(data: &[u8]) {
    let Some((which, rest)) = data.split_first() else { return };
    match which % 7 {
        0 => values(rest),
        1 => row_list(rest),
        2 => batch(rest),
        3 => validate(rest),
        4 => http(rest),
        5 => numbers(rest),
        _ => mistakes::mistakes(rest),
    }
}

/// The first byte is a length, that many bytes are calls, and the rest is what they read.
fn calls_and_bytes(data: &[u8]) -> (&[u8], &[u8]) {
    let Some((len, rest)) = data.split_first() else { return (&[], &[]) };
    rest.split_at(usize::from(*len).min(rest.len()))
}

fn bytes_of(bytes: &[u8]) -> Bytes {
    Bytes { start: bytes.as_ptr().cast(), len: bytes.len() }
}

/// What a call handed out.
fn slice_of<'a>(bytes: Bytes) -> &'a [u8] {
    if bytes.len == 0 {
        return &[];
    }
    // SAFETY: it lies in the input of the call, which outlives this.
    unsafe { std::slice::from_raw_parts(bytes.start.cast(), bytes.len) }
}

fn values(data: &[u8]) {
    let (calls, bytes) = calls_and_bytes(data);
    let mut reader = BsatnReader { words: [0xa5; 6] };
    let mut writer = BsatnWriter { words: [0xa5; 6] };
    let mut position = 0;
    assert_eq!(call!(ow_bsatn_reader_position(&reader, &mut position)), Status::BadHandle);
    assert_eq!(call!(ow_bsatn_reader_begin(&mut reader, bytes.as_ptr(), bytes.len())), Status::Ok);
    // Sometimes less than it takes.
    let room = bytes.len().saturating_sub(calls.len() / 40);
    let mut out = vec![0xa5; room + 8];
    assert_eq!(call!(ow_bsatn_writer_begin(&mut writer, out.as_mut_ptr(), room)), Status::Ok);
    macro_rules! number {
        ($get:ident, $put:ident, $zero:expr) => {{
            let mut value = $zero;
            let got = call!($get(&mut reader, &mut value));
            if got == Status::Ok {
                (got, Some(call!($put(&mut writer, value))))
            } else {
                (got, None)
            }
        }};
    }
    let (mut failed, mut full) = (Status::Ok, Status::Ok);
    for call in calls {
        let mut some = Bytes::default();
        let (got, put) = match call % 16 {
            0 => number!(ow_bsatn_get_bool, ow_bsatn_put_bool, 0),
            1 => number!(ow_bsatn_get_u8, ow_bsatn_put_u8, 0),
            2 => number!(ow_bsatn_get_i8, ow_bsatn_put_i8, 0),
            3 => number!(ow_bsatn_get_u16, ow_bsatn_put_u16, 0),
            4 => number!(ow_bsatn_get_i16, ow_bsatn_put_i16, 0),
            5 => number!(ow_bsatn_get_u32, ow_bsatn_put_u32, 0),
            6 => number!(ow_bsatn_get_i32, ow_bsatn_put_i32, 0),
            7 => number!(ow_bsatn_get_u64, ow_bsatn_put_u64, 0),
            8 => number!(ow_bsatn_get_i64, ow_bsatn_put_i64, 0),
            9 => number!(ow_bsatn_get_f32, ow_bsatn_put_f32, 0.0),
            10 => number!(ow_bsatn_get_f64, ow_bsatn_put_f64, 0.0),
            11 => {
                let mut tag = 0;
                let got = call!(ow_bsatn_get_tag(&mut reader, u32::from(call / 16), &mut tag));
                let put = (got == Status::Ok).then(|| call!(ow_bsatn_put_tag(&mut writer, tag)));
                (got, put)
            }
            12 => {
                let (element, mut count) = (usize::from(call / 16), 0);
                let got = call!(ow_bsatn_get_count(&mut reader, element, &mut count));
                let put =
                    (got == Status::Ok).then(|| call!(ow_bsatn_put_count(&mut writer, count)));
                (got, put)
            }
            13 => {
                let got = call!(ow_bsatn_get_string(&mut reader, &mut some));
                let put = (got == Status::Ok)
                    .then(|| call!(ow_bsatn_put_string(&mut writer, some.start, some.len)));
                (got, put)
            }
            14 => {
                let got = call!(ow_bsatn_get_bytes(&mut reader, &mut some));
                let put = (got == Status::Ok)
                    .then(|| call!(ow_bsatn_put_bytes(&mut writer, some.start, some.len)));
                (got, put)
            }
            _ => {
                let len = usize::from(call / 16);
                let got = call!(ow_bsatn_get_raw(&mut reader, len, &mut some));
                let put = (got == Status::Ok)
                    .then(|| call!(ow_bsatn_put_raw(&mut writer, some.start, some.len)));
                (got, put)
            }
        };
        // What failed once stays so.
        assert!(failed == Status::Ok || got == failed, "{got:?}, not {failed:?}");
        failed = got;
        if let Some(put) = put {
            assert!(full == Status::Ok || put == full, "{put:?}, not {full:?}");
            full = put;
        }
    }
    assert_eq!(call!(ow_bsatn_reader_position(&reader, &mut position)), Status::Ok);
    assert!(position <= bytes.len());
    let mut written = 0;
    assert_eq!(call!(ow_bsatn_writer_finish(&mut writer, &mut written)), full);
    if full == Status::Ok {
        assert!(written == position && out[..written] == bytes[..written], "written again");
    } else {
        assert_eq!((full, written), (Status::BufferTooSmall, 0));
    }
    assert!(out[room..].iter().all(|byte| *byte == 0xa5), "behind the end");
    let end = match failed {
        Status::Ok if position < bytes.len() => Status::TrailingBytes,
        status => status,
    };
    assert_eq!(call!(ow_bsatn_reader_finish(&mut reader)), end);
    assert_eq!(call!(ow_bsatn_reader_finish(&mut reader)), Status::BadHandle);
}

fn row_list(data: &[u8]) {
    let (mut list, mut read) = (BsatnRowList { words: [0xa5; 12] }, 7);
    let status = call!(ow_bsatn_row_list_read(&mut list, data.as_ptr(), data.len(), &mut read));
    let Ok((expected, rest)) = <RowList<'_> as onewrite::bsatn::Decode>::take_from(data) else {
        assert!(status != Status::Ok && read == 0, "{status:?}");
        return;
    };
    assert_eq!((status, read), (Status::Ok, data.len() - rest.len()));
    let mut len = 0;
    assert_eq!(call!(ow_bsatn_row_list_len(&list, &mut len)), Status::Ok);
    assert_eq!(len, expected.len());
    if len > 4 * data.len() {
        return;
    }
    let mut row = Bytes::default();
    assert_ne!(call!(ow_bsatn_row_list_get(&list, len, &mut row)), Status::Ok);
    let rows: Vec<Bytes> = (0..len)
        .map(|index| {
            let mut row = Bytes::default();
            assert_eq!(call!(ow_bsatn_row_list_get(&list, index, &mut row)), Status::Ok);
            assert_eq!(Some(slice_of(row)), expected.get(index));
            row
        })
        .collect();
    let raw: Vec<Raw<'_>> = rows.iter().map(|row| Raw(slice_of(*row))).collect();
    let writer = RowListWriter::new(&raw);
    let mut foretold = 0;
    let status = call!(ow_bsatn_row_list_encoded_len(rows.as_ptr(), len, &mut foretold));
    assert_eq!((status, foretold), (Status::Ok, writer.encoded_len()));
    let (mut out, mut written) = (vec![0xa5; foretold], 0);
    for room in [foretold.saturating_sub(1), foretold] {
        let at = out.as_mut_ptr();
        let status = call!(ow_bsatn_row_list_write(rows.as_ptr(), len, at, room, &mut written));
        assert_eq!(status == Status::Ok, room == foretold, "{status:?}");
    }
    let mut ours = vec![0; foretold];
    writer.encode_to_slice(&mut ours).expect("as much room as it takes");
    assert!(written == foretold && out == ours, "as the library writes it");
}

/// A row as it is.
struct Raw<'r>(&'r [u8]);

impl Encode for Raw<'_> {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    fn encoded_len(&self) -> usize {
        self.0.len()
    }

    fn put<O: onewrite::bsatn::Output>(&self, out: &mut O) {
        out.bytes(self.0);
    }
}

/// Calls of ten bytes each; texts are a part of the input.
fn batch(data: &[u8]) {
    let Some(([flags, components, edits, frames, strings, room, ..], calls)) =
        data.split_first_chunk::<6>()
    else {
        return;
    };
    let number = |byte: &u8| u32::from(byte % 16);
    let options = RenderBatchOptions {
        size: size_of::<RenderBatchOptions>() as u32,
        flags: u32::from(flags % 5),
        components: number(components),
        edits: number(edits),
        frames: number(frames),
        strings: number(strings),
    };
    let counts = [options.components, options.edits, options.frames, options.strings];
    let [components, edits, frames, strings] = counts.map(|count| count as usize);
    let enough = onewrite_capi::render_batch_workspace(components, edits, frames, strings);
    // Sometimes less than it takes.
    let words = (enough.div_ceil(8) + 8).saturating_sub(usize::from(room % 16));
    let mut workspace = vec![0u64; words];
    let (mut batch, len) = (RenderBatch { words: [0xa5; 24] }, 8 * workspace.len());
    let memory: *mut c_void = workspace.as_mut_ptr().cast();
    let odd = memory.wrapping_byte_add(1);
    if len != 0 {
        let status = call!(ow_render_batch_begin(&mut batch, &options, odd, len - 1));
        assert_ne!(status, Status::Ok, "not aligned");
    }
    let status = call!(ow_render_batch_begin(&mut batch, &options, memory, len));
    if status != Status::Ok {
        assert!(
            status == Status::BadArgument || (status == Status::WorkspaceTooSmall && len < enough),
            "{status:?}"
        );
        assert_eq!(call!(ow_render_batch_component(&mut batch, 0)), Status::BadHandle);
        return;
    }
    let text = |at: u8, len: u8| {
        let tail = data.get(usize::from(at)..).unwrap_or_default();
        bytes_of(tail.get(..usize::from(len % 20)).unwrap_or_default())
    };
    let disposed_components = [1, -2, 3];
    let disposed_events = [1, u64::MAX];
    for call in calls.chunks_exact(10) {
        let [what, kind, strings, a, b, c, d, e, f, g] = *call else { unreachable!() };
        let small = |byte: u8| i32::from(byte.cast_signed());
        let unset = |bit: u8, bytes| if strings & bit == 0 { Bytes::default() } else { bytes };
        match what % 8 {
            0 => drop(call!(ow_render_batch_component(&mut batch, small(a)))),
            1..=3 => {
                let edit = RenderEdit {
                    size: size_of::<RenderEdit>() as u32,
                    kind: u32::from(kind % 12),
                    strings: u32::from(strings % 4),
                    sibling: small(a),
                    index: small(b),
                    reserved: 0,
                    name: unset(1, text(c, d)),
                };
                call!(ow_render_batch_edit(&mut batch, &edit));
            }
            4..=6 => {
                let frame = RenderFrame {
                    size: size_of::<RenderFrame>() as u32,
                    kind: u32::from(kind % 12),
                    strings: u32::from(strings % 4),
                    subtree: small(a),
                    component: small(b),
                    reserved: 0,
                    event: u64::from(b) << (c % 64),
                    name: unset(1, text(d, e)),
                    text: unset(2, text(f, g)),
                };
                call!(ow_render_batch_frame(&mut batch, &frame));
            }
            _ => {
                let counts = (usize::from(a % 4), usize::from(b % 3));
                let (components, events) = (disposed_components.as_ptr(), disposed_events.as_ptr());
                let status = call!(ow_render_batch_disposed(
                    &mut batch, components, counts.0, events, counts.1
                ));
                assert_eq!(status, Status::Ok);
            }
        }
    }
    let (mut len, mut written) = (0, 7);
    let status = call!(ow_render_batch_encoded_len(&mut batch, &mut len));
    let mut out = vec![0xa5; len + 8];
    if let Some(less) = len.checked_sub(1) {
        let at = out.as_mut_ptr();
        let short = call!(ow_render_batch_finish(&mut batch, at, less, &mut written));
        assert_eq!((short, written), (Status::BufferTooSmall, 0));
    }
    let at = out.as_mut_ptr();
    let finished = call!(ow_render_batch_finish(&mut batch, at, len, &mut written));
    assert_eq!((finished, written), (status, len));
    assert!(out[len..].iter().all(|byte| *byte == 0xa5), "behind the end");
    if status == Status::Ok {
        let view = BatchView::strict(&out[..len]).expect("what was written is strict");
        assert!(view.frames().len() <= 15 && view.diffs().len() <= 15);
    }
}

fn validate(data: &[u8]) {
    let Some((flags, bytes)) = data.split_first() else { return };
    let bytes = bytes.get(..4096).unwrap_or(bytes);
    let flags = u32::from(flags % 5);
    let mut at = usize::MAX;
    let status = call!(ow_render_batch_validate(bytes.as_ptr(), bytes.len(), flags, &mut at));
    let view = match flags & 1 {
        0 => BatchView::strict(bytes),
        _ => BatchView::lenient(bytes),
    };
    let expected = match view {
        _ if flags > 3 => false,
        Ok(view) => flags & 2 != 0 || validate_tree(&view).is_ok(),
        Err(_) => false,
    };
    assert_eq!(status == Status::Ok, expected, "{status:?}");
    assert!(at <= bytes.len() && (at == 0 || status != Status::Ok), "{at}");
    assert!(!onewrite_capi::ow_error_text(status as i32).is_null());
}

/// A head, and what a client sends. The head is texts with a byte of zero behind each:
///
/// | text | is |
/// |---|---|
/// | 0 | a path |
/// | 1 | empty |
/// | 2, 3 | name and value of a field |
/// | 4, 5 | body and entity tag |
/// | 6, 7 | name and value of another field |
/// | 8 | how often that comes; all that the client sends is its value where it comes ten times or more |
/// | 9, 10 | status, or 200, and flags |
/// | 11 | every limit, or 0 |
fn http(data: &[u8]) {
    let (head, sent) = calls_and_bytes(data);
    let parts: Vec<&[u8]> = head.split(|byte| *byte == 0).collect();
    let part = |index: usize| parts.get(index).copied().unwrap_or_default();
    let number = |index: usize| -> u32 {
        str::from_utf8(part(index)).ok().and_then(|text| text.parse().ok()).unwrap_or_default()
    };
    let path = part(0);
    let field = |name, value| HttpField { name: bytes_of(name), value: bytes_of(value) };
    let mut fields = Vec::new();
    if !part(2).is_empty() {
        fields.push(field(part(2), part(3)));
    }
    let often = number(8).min(50);
    let value = if often < 10 { part(7) } else { sent };
    fields.extend((0..often).map(|_| field(part(6), value)));
    let response = HttpResponse {
        size: size_of::<HttpResponse>() as u32,
        flags: number(10),
        status: if part(9).is_empty() { 200 } else { number(9) },
        reserved: 0,
        fields: fields.as_ptr(),
        field_count: fields.len(),
        body: bytes_of(part(4)),
        etag: bytes_of(part(5)),
    };
    let room = onewrite_capi::http_site_workspace(2, 1600);
    let mut workspace = vec![0u64; room.div_ceil(8)];
    let (mut site, len) = (HttpSite { words: [0xa5; 32] }, 8 * workspace.len());
    let limit = number(11);
    let options = HttpSiteOptions {
        size: size_of::<HttpSiteOptions>() as u32,
        paths: 2,
        head: limit,
        fields: limit,
        target: limit,
        header_list: limit,
        body: limit.into(),
        continuations: limit,
        resets: limit,
        idle_frames: limit,
        reserved: 0,
    };
    let memory = workspace.as_mut_ptr().cast();
    assert_eq!(call!(ow_http_site_begin(&mut site, &options, memory, len)), Status::Ok);
    let root = HttpResponse {
        flags: 0,
        status: 200,
        fields: ptr::null(),
        field_count: 0,
        body: bytes_of(b"root"),
        etag: Bytes::default(),
        ..response
    };
    let added = call!(ow_http_site_add(&mut site, b"/".as_ptr().cast(), 1, &root));
    assert_eq!(added, Status::Ok);
    let mut takes = 7;
    let fits = call!(ow_http_response_len(&response, &mut takes));
    assert!(fits == Status::Ok || takes == 0);
    let added = call!(ow_http_site_add(&mut site, path.as_ptr().cast(), path.len(), &response));
    assert!(added != Status::Ok || fits == Status::Ok, "{fits:?}");
    if added == Status::Ok {
        let again = call!(ow_http_site_add(&mut site, path.as_ptr().cast(), path.len(), &response));
        assert_eq!(again, Status::CapacityExceeded);
    } else {
        let root_again = call!(ow_http_site_add(&mut site, b"/".as_ptr().cast(), 1, &root));
        assert_eq!(root_again, Status::PathTwice);
    }
    if call!(ow_http_site_not_found(&mut site, &response)) == Status::Ok {
        assert_eq!(call!(ow_http_site_not_found(&mut site, &response)), Status::PathTwice);
    }
    let (mut least, mut most) = (0, 0);
    assert_eq!(call!(ow_http_site_min_output(&site, &mut least)), Status::Ok);
    assert_eq!(call!(ow_http_site_max_response(&site, &mut most)), Status::Ok);
    let protocol = u32::from(sent.starts_with(b"PRI"));
    let protocol = if protocol == 1 { 2 } else { (data.len() % 2) as u32 };
    let mut random = Numbers::of(data);
    let (whole, ended) = talk(&site, protocol, &[sent], 1 << 15, 0);
    let room = least + random.below(200);
    let (cut, cut_ended) = talk(&site, protocol, &random.cut(sent, 30), room, data.len());
    // HTTP/2 cuts answers into other frames.
    let same = protocol == 2 || sent.starts_with(b"P") || cut == whole;
    assert!(same && (cut_ended == ended || protocol == 2), "{}", cut.escape_ascii());
}

/// What a connection said, and whether it ended by itself.
fn talk(
    site: &HttpSite,
    protocol: u32,
    pieces: &[&[u8]],
    room: usize,
    end: usize,
) -> (Vec<u8>, bool) {
    let mut conn = Box::new(HttpConn { words: [0xa5; 520] });
    assert_eq!(call!(ow_http_conn_begin(&mut *conn, 3)), Status::BadArgument);
    assert_eq!(call!(ow_http_conn_begin(&mut *conn, protocol)), Status::Ok);
    let (mut said, mut left, mut out) = (Vec::new(), Vec::new(), vec![0xa5; room + 8]);
    let mut closed = false;
    'all: for piece in pieces {
        left.extend_from_slice(piece);
        loop {
            let mut fed = HttpFed::default();
            let (at, to) = (left.as_ptr(), out.as_mut_ptr());
            let status = call!(ow_http_feed(&mut *conn, site, at, left.len(), to, room, &mut fed));
            assert_eq!(status, Status::Ok);
            said.extend_from_slice(&out[..fed.written]);
            left.drain(..fed.consumed);
            match fed.next {
                1 => break,
                2 => {
                    assert!(fed.needed <= room, "{} of {room}", fed.needed);
                    assert!(fed.consumed + fed.written > 0, "no progress in {room} bytes");
                }
                _ => {
                    closed = true;
                    break 'all;
                }
            }
        }
    }
    let (mut waits, mut speaks, mut counters) = (0, 9, HttpCounters::default());
    assert_eq!(call!(ow_http_waiting(&*conn, &mut waits)), Status::Ok);
    assert_eq!(call!(ow_http_conn_protocol(&*conn, &mut speaks)), Status::Ok);
    assert_eq!(call!(ow_http_count(&*conn, &mut counters)), Status::Ok);
    assert_eq!(counters.sent, said.len() as u64);
    if !closed {
        let (mut fed, to) = (HttpFed::default(), out.as_mut_ptr());
        let status = match end % 3 {
            0 => call!(ow_http_overflow(&mut *conn, to, room, &mut fed)),
            1 => call!(ow_http_time_out(&mut *conn, to, room, &mut fed)),
            _ => call!(ow_http_shutdown(&mut *conn)),
        };
        assert_eq!(status, Status::Ok);
        assert!(fed.written <= room);
    }
    assert!(out[room..].iter().all(|byte| *byte == 0xa5), "behind the end");
    (said, closed)
}

fn numbers(data: &[u8]) {
    let Some(([at, len], rest)) = data.split_first_chunk::<2>() else { return };
    let (at, bytes) = (usize::from(at % 24), rest.get(..usize::from(len % 24)).unwrap_or(rest));
    macro_rules! number {
        ($get:ident, $put:ident, $number:ty, $bytes:ident) => {{
            let (mut value, size): ($number, _) = (7, size_of::<$number>());
            let mut record = bytes.to_vec();
            let (from, to) = (record.as_ptr(), record.len());
            let got = call!($get(from, to, at, &mut value));
            match bytes.get(at..).and_then(|tail| tail.get(..size)) {
                Some(expected) => {
                    assert_eq!(got, Status::Ok);
                    assert_eq!(&value.$bytes()[..], expected);
                    let to = record.as_mut_ptr();
                    let put = call!($put(to, record.len(), at, !value));
                    assert_eq!(put, Status::Ok);
                    assert_eq!(record[at..at + size], (!value).$bytes());
                    record[at..at + size].copy_from_slice(expected);
                }
                None => {
                    assert!(got != Status::Ok && value == 0, "{got:?}");
                    let to = record.as_mut_ptr();
                    assert_ne!(call!($put(to, record.len(), at, 7)), Status::Ok);
                }
            }
            assert!(record == bytes, "nothing else is changed");
        }};
    }
    number!(ow_record_get_u8_le, ow_record_put_u8_le, u8, to_le_bytes);
    number!(ow_record_get_u8_be, ow_record_put_u8_be, u8, to_be_bytes);
    number!(ow_record_get_u16_le, ow_record_put_u16_le, u16, to_le_bytes);
    number!(ow_record_get_u16_be, ow_record_put_u16_be, u16, to_be_bytes);
    number!(ow_record_get_u32_le, ow_record_put_u32_le, u32, to_le_bytes);
    number!(ow_record_get_u32_be, ow_record_put_u32_be, u32, to_be_bytes);
    number!(ow_record_get_u64_le, ow_record_put_u64_le, u64, to_le_bytes);
    number!(ow_record_get_u64_be, ow_record_put_u64_be, u64, to_be_bytes);
    macro_rules! varint {
        ($get:ident, $lenient:ident, $put:ident, $len:ident, $number:ty) => {{
            let (mut value, mut read): ($number, usize) = (7, 7);
            let (from, len) = (bytes.as_ptr(), bytes.len());
            let strict = call!($get(from, len, &mut value, &mut read));
            assert!(strict == Status::Ok || (value, read) == (0, 0));
            if strict == Status::Ok {
                let (mut out, mut written) = ([0xa5; 12], 0);
                assert_eq!(call!($put(out.as_mut_ptr(), read, value, &mut written)), Status::Ok);
                assert!(written == read && out[..read] == bytes[..read] && out[read] == 0xa5);
                assert_eq!(onewrite_capi::$len(value), read);
                let short = call!($put(out.as_mut_ptr(), read - 1, value, &mut written));
                assert_eq!((short, written), (Status::BufferTooSmall, 0));
            }
            let (mut same, mut len_of) = (7, 7);
            let lenient = call!($lenient(from, len, &mut same, &mut len_of));
            assert!(strict != Status::Ok || (lenient, same, len_of) == (strict, value, read));
            assert!(len_of <= len);
        }};
    }
    varint!(
        ow_leb128_get_u32,
        ow_leb128_get_u32_lenient,
        ow_leb128_put_u32,
        ow_leb128_len_u32,
        u32
    );
    varint!(
        ow_leb128_get_u64,
        ow_leb128_get_u64_lenient,
        ow_leb128_put_u64,
        ow_leb128_len_u64,
        u64
    );
}
