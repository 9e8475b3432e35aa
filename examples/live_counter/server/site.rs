//! What is asked for over HTTP: the page, the script, and the way to a circuit.
#![allow(clippy::indexing_slicing, reason = "only what the compiler evaluates indexes")]

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use onewrite::circuit::gate::{
    self, Answered, CONTENT_SECURITY_POLICY, DESCRIPTOR_LEN, Endpoint, Gate, MARKER_BACK,
    SERVER_MARKER, WEB_MARKER,
};
use onewrite::circuit::origin::Origin;
use onewrite::circuit::{Server, Store};
use onewrite::http::{
    Exchanged, Handler, Header, NoBody, Parts, Received, Request, Response, Route, Routes, response,
};
use onewrite::string_table::StringTable;

use super::arguments::{Arguments, Kind};
use super::hooks::{self, Hook};
use super::random::System;
use crate::counter::Counter;

/// The pages of all browsers.
pub(crate) type Pages<S> = Server<'static, Counter<System>, S, StringTable<2048>>;

/// Browsers that have a token and no connection yet.
const TOKENS: usize = 256;

/// What all connections share.
pub(crate) struct Site<S: Store + 'static> {
    pub(crate) pages: Pages<S>,
    pub(crate) gate: Gate<'static, TOKENS>,
    random: System,
    /// Milliseconds since the start.
    now: u64,
    /// Where the page is from whose connection has just left HTTP.
    pub(crate) connected: Option<Origin<'static>>,
    /// What a test has just asked for.
    pub(crate) asked: Option<Hook>,
    /// Pages that were left.
    pub(crate) left: u64,
}

impl<S: Store + 'static> Site<S> {
    pub(crate) const fn new(
        pages: Pages<S>,
        origins: &'static [Origin<'static>],
        random: System,
    ) -> Self {
        let gate = Gate::new(origins);
        Self { pages, gate, random, now: 0, connected: None, asked: None, left: 0 }
    }

    /// Takes the time.
    pub(crate) const fn set_now(&mut self, now: u64) {
        self.now = now;
        self.pages.handler_mut().set_now(now);
    }

    pub(crate) const fn now(&self) -> u64 {
        self.now
    }
}

impl<S: Store + 'static> Handler for Site<S> {
    /// The descriptor in a page: a ticket for its circuit.
    fn fill(&mut self, _: Request, _: usize, bytes: &mut [u8]) {
        let now = self.now;
        // Without random numbers it stays empty, and no circuit starts with that.
        if let Ok(ticket) = self.pages.handler_mut().issue(now)
            && let Some(bytes) = bytes.get_mut(..ticket.as_str().len())
        {
            bytes.copy_from_slice(ticket.as_str().as_bytes());
        }
    }

    fn exchange(
        &mut self,
        received: &Received<'_>,
        output: &mut [u8],
    ) -> Result<Exchanged, NoBody> {
        let Some(endpoint) = ENDPOINTS.get(received.route) else {
            let hook = Hook::at(received.route.checked_sub(FIXED).ok_or(NoBody)?).ok_or(NoBody)?;
            self.asked = Some(hook);
            return hooks::state(&mut self.pages, output).ok_or(NoBody);
        };
        let Self { gate, pages, random, now, .. } = self;
        match gate.answer(*endpoint, received, random, *now, output)? {
            Answered::Done(exchanged) => Ok(exchanged),
            Answered::Connected { exchanged, origin } => {
                self.connected = Some(origin);
                Ok(exchanged)
            }
            Answered::Left { exchanged, secret } => {
                self.left += u64::from(pages.disconnect(secret));
                Ok(exchanged)
            }
        }
    }
}

/// The endpoints are the first routes.
const ENDPOINTS: [Endpoint; 3] = [Endpoint::Connect, Endpoint::Negotiate, Endpoint::Disconnect];

/// How many routes there are without those for tests.
const FIXED: usize = 9;

/// All that is to be had, for as long as the process runs.
pub(crate) fn routes(arguments: &Arguments) -> io::Result<&'static Routes<'static>> {
    let page = match arguments.kind() {
        Kind::Server => &PAGE,
        Kind::Web => &WEB_PAGE,
    };
    let script = match arguments.script() {
        Some(path) => script(&path)?,
        None => &NO_SCRIPT,
    };
    let mut routes = vec![
        Route::new("/_blazor", &gate::CONNECT),
        Route::new("/_blazor/negotiate", &gate::NEGOTIATE),
        Route::new("/_blazor/disconnect", &gate::DISCONNECT),
        Route::new("/_blazor/initializers", &gate::INITIALIZERS),
        Route::new("/", page),
        Route::new("/style.css", &STYLE),
        Route::new("/live.js", &LIVE),
        Route::new("/_framework/blazor.js", script),
        Route::new("/favicon.ico", &NO_ICON),
    ];
    assert_eq!(routes.len(), FIXED);
    if arguments.test_hooks {
        routes.extend(Hook::PATHS.iter().map(|path| Route::new(path, &hooks::ROUTE)));
    }
    let routes = Routes::new(routes.leak()).map_err(io::Error::other)?;
    Ok(Box::leak(Box::new(routes.not_found(&NOT_FOUND))))
}

/// The real ones have less than 200 KiB.
const LONGEST_SCRIPT: u64 = 16 << 20;

/// The client's script, which is not ours.
fn script(path: &Path) -> io::Result<&'static Response<'static>> {
    let mut file = Vec::new();
    File::open(path)
        .and_then(|script| script.take(LONGEST_SCRIPT + 1).read_to_end(&mut file))
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    if file.len() as u64 > LONGEST_SCRIPT {
        let message = format!("{}: more than {LONGEST_SCRIPT} bytes are no script", path.display());
        return Err(io::Error::new(ErrorKind::InvalidData, message));
    }
    let headers = &[
        Header::new("content-type", "text/javascript; charset=utf-8"),
        Header::new("cache-control", "no-cache"),
    ];
    let parts = Parts::new(200).headers(headers).body(file.leak());
    let bytes = vec![0; parts.len()].leak();
    let response = parts.response_in(bytes, &mut []).map_err(|error| {
        io::Error::new(ErrorKind::InvalidData, format!("{}: {}", path.display(), error.message()))
    })?;
    Ok(Box::leak(Box::new(response)))
}

const HTML: &str = "text/html; charset=utf-8";
const TITLE: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width\"><base href=\"/\">\
    <title>Counter</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><main>";
/// The script shows the first two when something is wrong. It has its own for the second, but with a style
/// in it, which the policy does not let in.
const REST: &str = "</main>\
    <div id=\"blazor-error-ui\">An error occurred. <a href=\"\">Load the page again</a></div>\
    <div id=\"components-reconnect-modal\">The connection is lost. Trying again \u{2026} \
    <a href=\"\">Load the page again</a></div>\
    <script src=\"live.js\"></script><script src=\"_framework/blazor.js\"></script></body></html>\n";

response! {
    /// The page for `blazor.server.js`.
    static PAGE = 200, {
        "content-type": HTML, "cache-control": "no-store",
        "content-security-policy": CONTENT_SECURITY_POLICY,
    }, [TITLE, SERVER_MARKER, hole(DESCRIPTOR, DESCRIPTOR_LEN), MARKER_BACK, REST]
}

response! {
    /// The page for `blazor.web.js`.
    static WEB_PAGE = 200, {
        "content-type": HTML, "cache-control": "no-store",
        "content-security-policy": CONTENT_SECURITY_POLICY,
    }, [TITLE, WEB_MARKER, hole(DESCRIPTOR, DESCRIPTOR_LEN), MARKER_BACK, REST]
}

response! {
    static STYLE = 200, { "content-type": "text/css; charset=utf-8" },
    "body { font: 16px/1.5 sans-serif; margin: 2em auto; max-width: 40em; padding: 0 1em }
button { font: inherit; padding: .3em 1em }
span { margin-left: .5em }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin-top: 1em }
td { border-bottom: 1px solid #ddd; padding: 0 1em; text-align: right }
#blazor-error-ui, #components-reconnect-modal { display: none }
#blazor-error-ui, #components-reconnect-modal.components-reconnect-show, \
#components-reconnect-modal.components-reconnect-failed {
  background: #fee; bottom: 0; left: 0; padding: 1em; position: fixed; right: 0 }
#components-reconnect-modal.components-reconnect-show, \
#components-reconnect-modal.components-reconnect-failed { display: block }
"
}

response! {
    /// Loads the page again where its circuit is gone: scripts before .NET 9 only show a link.
    static LIVE = 200, { "content-type": "text/javascript; charset=utf-8" },
    "const modal = document.getElementById(\"components-reconnect-modal\");
new MutationObserver(() => {
  if (/reconnect-(rejected|resume-failed)/.test(modal.className)) location.reload();
}).observe(modal, { attributeFilter: [\"class\"] });
"
}

response! { static NO_ICON = 204, {} }
response! {
    static NO_SCRIPT = 404, { "content-type": "text/plain; charset=utf-8" },
    "there is no script: see live_counter --help"
}
response! {
    static NOT_FOUND = 404, { "content-type": "text/plain; charset=utf-8" }, "not found"
}
