//! A server's connections: bytes in, bytes out.

#[cfg(target_pointer_width = "64")]
use core::mem::offset_of;

use onewrite::http::{Conn, Fed, Next, Protocol, Waiting};

use super::site::{self, HttpSite};
use crate::Status;
use crate::handle::{self, State};
use crate::memory::{Stop, attempt, input, output, span, store};

/// Which protocol a connection speaks.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpProtocol {
    /// What the first bytes say: HTTP/2 if they are its preface.
    Auto = 0,
    /// HTTP/1.1 and 1.0.
    Http1 = 1,
    /// HTTP/2 with prior knowledge.
    Http2 = 2,
}

/// What to do after `ow_http_feed`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpNext {
    /// Read more, put it behind what was not consumed, call again.
    Read = 1,
    /// Send what was written, call again with what was not consumed, and with room for at least
    /// `needed` bytes.
    Flush = 2,
    /// Send what was written, then close.
    Close = 3,
}

/// What a connection waits for, so that its owner can set a time for it.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpWait {
    /// For a request to begin. Nothing is owed.
    Idle = 1,
    /// For the rest of a request's head. This time and that of `IDLE` start when it begins to wait,
    /// whatever arrives meanwhile.
    Head = 2,
    /// For the rest of a request's body. This time starts anew when the count of bytes received grows.
    Body = 3,
    /// For the client to take more of a response. This time starts anew when the count of bytes sent
    /// grows.
    Window = 4,
}

/// One connection: 4,160 bytes with the alignment of a `uint64_t`, the caller's.
///
/// Its bytes are nobody else's. It holds its own address, so it is not copied or moved. One that is not
/// wanted any more need not be ended. Where a pointer or a length is wrong it stays as it was.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HttpConn {
    /// Not to be touched.
    pub words: [u64; 520],
}

/// What a call did.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct HttpFed {
    /// Bytes of the input that are dealt with. The rest comes again, at the start of the next input.
    pub consumed: usize,
    /// Bytes at the start of the output that are to be sent.
    pub written: usize,
    /// After `OW_HTTP_NEXT_FLUSH` the length that the next output must have, else 0.
    pub needed: usize,
    /// One of `OW_HTTP_NEXT_`, or 0 where the call failed.
    pub next: u32,
    /// Zero.
    pub reserved: u32,
}

/// What happened on a connection. No count goes down.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct HttpCounters {
    /// Bytes of input that were consumed.
    pub received: u64,
    /// Bytes of output that were written.
    pub sent: u64,
    /// Requests whose response was begun, refusals included.
    pub requests: u64,
    /// Requests that were refused with a status from 400 up, other than 404 and 405.
    pub refused: u64,
    /// Streams that the client reset.
    pub resets_received: u64,
    /// Streams that we reset.
    pub resets_sent: u64,
    /// Errors that ended the connection.
    pub errors: u64,
}

/// What `capi/tests/header.c` asserts of the header.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<HttpFed>() == 32
        && offset_of!(HttpFed, needed) == 16
        && offset_of!(HttpFed, next) == 24
        && size_of::<HttpCounters>() == 56,
    "structs for C are not laid out as tests/header.c says"
);

struct Open(Conn);

impl State for Open {
    const KIND: u64 = 0xc04e_b3a7_0000_0000;
    type Memory = HttpConn;
}

/// Begins a connection in `conn`, whatever was there before: nothing was received yet.
///
/// `OW_STATUS_BAD_ARGUMENT` for an unknown protocol.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_conn_begin(conn: *mut HttpConn, protocol: u32) -> Status {
    let result = attempt(|| {
        let protocol = match protocol {
            0 => Protocol::Auto,
            1 => Protocol::Http1,
            2 => Protocol::Http2,
            _ => return Err(Status::BadArgument),
        };
        // SAFETY: the caller's promise about `conn`.
        unsafe { handle::begin(conn, Open(Conn::new(protocol))) }
    });
    result.err().unwrap_or(Status::Ok)
}

/// Takes `input`, and writes answers from `site`, which is the same in all calls, to `out`.
///
/// Called when the client sent something, and after each `OW_HTTP_NEXT_FLUSH`. What goes out does not
/// depend on how the input was cut, nor on the length of the output; see `ow_http_site_output`. The
/// buffer of the input holds a frame of HTTP/2 if it has 16,393 bytes.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_feed(
    conn: *mut HttpConn,
    site: *const HttpSite,
    bytes: *const u8,
    len: usize,
    out: *mut u8,
    out_len: usize,
    fed: *mut HttpFed,
) -> Status {
    let result = attempt(|| {
        let place = span(fed, 1)?;
        let others = [span(conn, 1), span(site, 1), span(bytes, len), span(out, out_len)];
        // Before anything else can stop this: a stop stores zero unless the place is wrong.
        place.is_free_of(&others.map(Result::unwrap_or_default))?;
        // SAFETY: the caller's promise about `site`.
        let site = unsafe { handle::look::<site::Open>(site) }?;
        place.is_free_of(&[site.workspace])?;
        let [handle, shared, given, room] = others;
        let (handle, shared, given) = (handle?, shared?, given?);
        room?.apart_from(&[handle, shared, site.workspace, given])?;
        handle.apart_from(&[shared, site.workspace, given])?;
        // SAFETY: the caller's promise about `conn`, which lies apart from all else.
        let Open(conn) = unsafe { handle::open::<Open>(conn) }?;
        // SAFETY: the caller's promise about `bytes`.
        let bytes = unsafe { input(bytes, len) }?;
        // SAFETY: the caller's promise about `out`, which lies apart from all else.
        let out = unsafe { output(out, out_len) }?;
        Ok(conn.feed(&site.routes, bytes, out).into())
    });
    // SAFETY: the caller's promise about `fed`.
    unsafe { store(fed, result) }
}

/// Refuses what the client is sending: the buffer of the input is full, and nothing was consumed.
///
/// That is status 431 or 414, or over HTTP/2 a GOAWAY with `ENHANCE_YOUR_CALM`, and then
/// `OW_HTTP_NEXT_CLOSE`; after `OW_HTTP_NEXT_FLUSH` this is called again.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_overflow(
    conn: *mut HttpConn,
    out: *mut u8,
    out_len: usize,
    fed: *mut HttpFed,
) -> Status {
    // SAFETY: as this function's own.
    let result = unsafe { end(conn, out, out_len, fed, Conn::overflow) };
    // SAFETY: the caller's promise about `fed`.
    unsafe { store(fed, result) }
}

/// Says good-bye to a client that took too long.
///
/// That is status 408 where a request has begun, or over HTTP/2 a GOAWAY with `NO_ERROR`. As with
/// `ow_http_overflow` it is called again after `OW_HTTP_NEXT_FLUSH`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_time_out(
    conn: *mut HttpConn,
    out: *mut u8,
    out_len: usize,
    fed: *mut HttpFed,
) -> Status {
    // SAFETY: as this function's own.
    let result = unsafe { end(conn, out, out_len, fed, Conn::time_out) };
    // SAFETY: the caller's promise about `fed`.
    unsafe { store(fed, result) }
}

/// Lets the connection end as soon as what was begun is answered: `ow_http_feed` is called next, with
/// whatever input there is.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_shutdown(conn: *mut HttpConn) -> Status {
    // SAFETY: the caller's promise about `conn`.
    let result = unsafe { handle::open::<Open>(conn) };
    result.map(|Open(conn)| conn.shutdown()).err().unwrap_or(Status::Ok)
}

/// What the client has to do next: one of `OW_HTTP_WAIT_`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_waiting(conn: *const HttpConn, waiting: *mut u32) -> Status {
    let what = |conn: &Conn| {
        let waiting = match conn.waiting() {
            Waiting::Idle => HttpWait::Idle,
            Waiting::Head => HttpWait::Head,
            Waiting::Body => HttpWait::Body,
            Waiting::Window => HttpWait::Window,
        };
        waiting as u32
    };
    // SAFETY: as this function's own.
    unsafe { tell(conn, waiting, what) }
}

/// What the connection speaks: one of `OW_HTTP_PROTOCOL_`, of which `AUTO` is not known yet.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_conn_protocol(
    conn: *const HttpConn,
    protocol: *mut u32,
) -> Status {
    let what = |conn: &Conn| {
        let protocol = match conn.protocol() {
            Protocol::Auto => HttpProtocol::Auto,
            Protocol::Http1 => HttpProtocol::Http1,
            Protocol::Http2 => HttpProtocol::Http2,
        };
        protocol as u32
    };
    // SAFETY: as this function's own.
    unsafe { tell(conn, protocol, what) }
}

/// What happened so far.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_count(
    conn: *const HttpConn,
    counters: *mut HttpCounters,
) -> Status {
    let what = |conn: &Conn| {
        let counters = conn.counters();
        HttpCounters {
            received: counters.received,
            sent: counters.sent,
            requests: counters.requests,
            refused: counters.refused,
            resets_received: counters.resets_received,
            resets_sent: counters.resets_sent,
            errors: counters.errors,
        }
    };
    // SAFETY: as this function's own.
    unsafe { tell(conn, counters, what) }
}

/// Ends a connection by `call`; `fed` is where the result goes.
///
/// # Safety
///
/// As for [`handle::open`] and [`output`].
unsafe fn end(
    conn: *mut HttpConn,
    out: *mut u8,
    out_len: usize,
    fed: *mut HttpFed,
    call: fn(&mut Conn, &mut [u8]) -> Fed,
) -> Result<HttpFed, Stop> {
    let place = span(fed, 1)?;
    let [handle, room] = [span(conn, 1), span(out, out_len)];
    place.is_free_of(&[handle, room].map(Result::unwrap_or_default))?;
    room?.apart_from(&[handle?])?;
    // SAFETY: as this function's own.
    let Open(conn) = unsafe { handle::open::<Open>(conn) }?;
    // SAFETY: as this function's own; the room lies apart from all else.
    Ok(call(conn, unsafe { output(out, out_len) }?).into())
}

/// Stores what there is to know of a connection.
///
/// # Safety
///
/// As for [`handle::look`] and [`store`].
unsafe fn tell<T: Default>(
    conn: *const HttpConn,
    place: *mut T,
    what: impl FnOnce(&Conn) -> T,
) -> Status {
    let result = attempt(|| {
        span(place, 1)?.is_free_of(&[span(conn, 1)?])?;
        // SAFETY: as this function's own.
        let Open(conn) = unsafe { handle::look::<Open>(conn) }?;
        Ok(what(conn))
    });
    // SAFETY: as this function's own.
    unsafe { store(place, result) }
}

impl From<Fed> for HttpFed {
    fn from(fed: Fed) -> Self {
        let Fed { consumed, written, next } = fed;
        let (next, needed) = match next {
            Next::Read => (HttpNext::Read, 0),
            Next::Flush { needed } => (HttpNext::Flush, needed),
            // No site for C leads to another protocol.
            Next::Close | Next::Switch => (HttpNext::Close, 0),
        };
        Self { consumed, written, needed, next: next as u32, reserved: 0 }
    }
}
