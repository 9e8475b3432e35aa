//! The pages: literals, and what is made for each request.
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "a program for the host; one prefix for everything reads better"
)]
#![allow(clippy::indexing_slicing, reason = "only what the compiler evaluates indexes")]

mod built;

use std::io::Write as _;

use onewrite::http::{Handler, Method, NoBody, Request, Response, response, routes};
use onewrite::render_batch::{Batch, Diff, Edit, Frame, write_into};
use onewrite::string_table::StringTable;

/// What `/` and `/data` say, and of what type that is.
const TEXT: &str = "Hello World";
const TYPE: &str = "text/plain; charset=utf-8";

/// `/`: status, fields and body are put together for each request. See [`built`].
static BUILT: Response<'static> = Response::written(built::MAX);

response! {
    /// `/data`: the same bytes, made by the compiler.
    static DATA = 200, { "content-type": TYPE }, TEXT, etag = none
}

response! {
    /// `/counter`: a batch that replaces a text by the number of requests.
    static COUNTER = 200, {
        "content-type": "application/octet-stream", "cache-control": "no-store"
    }, dynamic(max = 512)
}

response! {
    /// `/metrics`: counts as text.
    static METRICS = 200, {
        "content-type": "text/plain; version=0.0.4", "cache-control": "no-store"
    }, dynamic(max = 1024)
}

response! {
    /// `/large`: more than the windows of HTTP/2 let through at once.
    static LARGE = 200, { "content-type": "application/octet-stream" }, &LARGE_BODY
}

response! {
    static NOT_FOUND = 404, { "content-type": TYPE }, "not found"
}

/// One MiB in lines of 16 bytes: the number of the page of 4 KiB, and of the line in it, so that a
/// client can tell lost ones.
static LARGE_BODY: [u8; 1 << 20] = {
    let mut body = [0; 1 << 20];
    let (pages, _) = body.as_chunks_mut::<4096>();
    let mut page = 0;
    while page < pages.len() {
        let (lines, _) = pages[page].as_chunks_mut::<16>();
        lines[0] = *b"page    line   \n";
        let mut known = 1;
        while known < lines.len() {
            let (from, to) = lines.split_at_mut(known);
            to.split_at_mut(known).0.copy_from_slice(from);
            known *= 2;
        }
        let mut line = 0;
        while line < lines.len() {
            let hex = b"0123456789abcdef";
            lines[line][5] = hex[page >> 4];
            lines[line][6] = hex[page & 15];
            lines[line][13] = hex[line >> 4];
            lines[line][14] = hex[line & 15];
            line += 1;
        }
        page += 1;
    }
    body
};

routes! {
    /// Everything there is.
    pub(crate) static ROUTES = {
        "/" => BUILT,
        "/data" => DATA,
        "/counter" => COUNTER,
        "/metrics" => METRICS,
        "/large" => LARGE,
    }, not_found = NOT_FOUND
}

const COUNTER_ROUTE: Option<usize> = ROUTES.number("/counter");
const METRICS_ROUTE: Option<usize> = ROUTES.number("/metrics");

/// What the pages are made from.
#[derive(Debug)]
pub(crate) struct Site {
    /// Connections that were accepted, and those of them that were refused.
    pub(crate) connections: u64,
    pub(crate) refused: u64,
    /// Requests that were answered on connections that are closed.
    pub(crate) requests: u64,
    /// The text of `/`, as a program whose strings are UTF-16 has it.
    text: Vec<u16>,
    /// Requests for `/counter`.
    count: u64,
    table: StringTable<64>,
}

impl Site {
    pub(crate) fn new() -> Self {
        Self {
            connections: 0,
            refused: 0,
            requests: 0,
            text: TEXT.encode_utf16().collect(),
            count: 0,
            table: StringTable::new(),
        }
    }

    /// A Blazor render batch: the text of a paragraph becomes the count.
    fn counter(&mut self, body: &mut [u8]) -> Option<usize> {
        let count = self.count.to_string();
        let frames = [Frame::text(&count)];
        let edits = [Edit::step_in(1), Edit::update_text(1, 0), Edit::step_out()];
        let diffs = [Diff { component: 1, edits: &edits }];
        let batch = Batch { diffs: &diffs, frames: &frames, ..Batch::default() };
        write_into(&mut self.table, &batch, body).ok()
    }

    fn metrics(&self, body: &mut [u8]) -> Option<usize> {
        let room = body.len();
        let mut rest = body;
        for (name, value) in [
            ("connections_total", self.connections),
            ("connections_refused_total", self.refused),
            ("requests_of_closed_connections_total", self.requests),
            ("counter_requests_total", self.count),
        ] {
            writeln!(rest, "# TYPE http_server_{name} counter\nhttp_server_{name} {value}").ok()?;
        }
        Some(room - rest.len())
    }
}

impl Handler for Site {
    fn body(&mut self, request: Request, body: &mut [u8]) -> Result<usize, NoBody> {
        let route = Some(request.route);
        let len = if route == COUNTER_ROUTE {
            self.count += u64::from(request.method == Method::Get);
            self.counter(body)
        } else if route == METRICS_ROUTE {
            self.metrics(body)
        } else {
            None
        };
        len.ok_or(NoBody)
    }

    fn respond(&mut self, request: Request, output: &mut [u8]) -> Result<usize, NoBody> {
        built::respond(&self.text, request.protocol, output).ok_or(NoBody)
    }
}
