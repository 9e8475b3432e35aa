//! The requests around a circuit, as a handler sees them.

use onewrite::circuit::gate::{
    self, Answered, DESCRIPTOR_LEN, Endpoint, Gate, MARKER_BACK, SERVER_MARKER, WEB_MARKER,
};
use onewrite::circuit::origin::Origin;
use onewrite::circuit::root::Roots;
use onewrite::http::{
    Conn, Exchanged, Handler, Next, NoBody, Protocol, Received, response, routes,
};
use serde_json::Value as Json;

use super::secret::{Generator, Told};

response! { static PAGE = 200, { "content-security-policy": gate::CONTENT_SECURITY_POLICY }, "" }
routes! {
    static SITE = {
        "/_blazor" => gate::CONNECT,
        "/_blazor/negotiate" => gate::NEGOTIATE,
        "/_blazor/disconnect" => gate::DISCONNECT,
        "/_blazor/initializers" => gate::INITIALIZERS,
        "/" => PAGE,
    }
}
const ENDPOINTS: [Endpoint; 3] = [Endpoint::Connect, Endpoint::Negotiate, Endpoint::Disconnect];
const ORIGINS: &[Origin<'_>] =
    &[Origin::new("http://pi.local").unwrap(), Origin::new("http://10.0.0.7:8080").unwrap()];

struct Site {
    gate: Gate<'static, 2>,
    random: Option<Generator>,
    now: u64,
    connected: Vec<&'static str>,
    left: Vec<String>,
}

impl Site {
    fn new() -> Self {
        let random = Some(Generator(5));
        Self { gate: Gate::new(ORIGINS), random, now: 0, connected: vec![], left: vec![] }
    }

    /// Answers a request: status and body, and what to do then.
    fn ask(&mut self, request: &str) -> (String, String, Next) {
        let mut output = [0; 1024];
        let mut conn = <Conn>::new(Protocol::Http1);
        let fed = conn.feed_with(&SITE, self, request.as_bytes(), &mut output);
        assert_eq!(fed.consumed, request.len());
        let answer = str::from_utf8(&output[..fed.written]).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        if !head.contains(" 101 ") {
            let length = format!("\r\ncontent-length: {}", body.len());
            assert!(head.contains(&length), "{answer}");
        }
        (head[9..12].to_owned(), body.to_owned(), fed.next)
    }

    fn negotiate(&mut self, origin: usize) -> Json {
        let (host, origin) = (ORIGINS[origin].host(), ORIGINS[origin].as_str());
        let (status, body, next) = self.ask(&format!(
            "POST /_blazor/negotiate?negotiateVersion=1 HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n\r\n"
        ));
        assert_eq!((&*status, next), ("200", Next::Read));
        serde_json::from_str(&body).unwrap()
    }

    fn connect(&mut self, origin: usize, token: &str) -> (String, Next) {
        let (host, origin) = (ORIGINS[origin].host(), ORIGINS[origin].as_str());
        let (status, _, next) = self.ask(&format!(
            "GET /_blazor?id={token} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n\
             Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ));
        (status, next)
    }

    fn disconnect(&mut self, kind: &str, body: &str) -> String {
        let length = body.len();
        let request = format!(
            "POST /_blazor/disconnect HTTP/1.1\r\nHost: pi\r\nContent-Type: {kind}\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        self.ask(&request).0
    }
}

impl Handler for Site {
    fn exchange(
        &mut self,
        received: &Received<'_>,
        output: &mut [u8],
    ) -> Result<Exchanged, NoBody> {
        let (endpoint, now) = (ENDPOINTS[received.route], self.now);
        let answered = match &mut self.random {
            Some(random) => self.gate.answer(endpoint, received, random, now, output)?,
            None => self.gate.answer(endpoint, received, &mut Told(vec![]), now, output)?,
        };
        Ok(match answered {
            Answered::Done(exchanged) => exchanged,
            Answered::Connected { exchanged, origin } => {
                self.connected.push(origin.as_str());
                exchanged
            }
            Answered::Left { exchanged, secret } => {
                self.left.push(secret.to_owned());
                exchanged
            }
        })
    }
}

fn token(negotiated: &Json) -> String {
    negotiated["connectionToken"].as_str().unwrap().to_owned()
}

#[test]
fn a_browser_is_told_of_websockets_alone() {
    let mut site = Site::new();
    let first = site.negotiate(0);
    let expected = serde_json::json!({
        "negotiateVersion": 1,
        "connectionId": first["connectionId"],
        "connectionToken": first["connectionToken"],
        "availableTransports": [{"transport": "WebSockets", "transferFormats": ["Text", "Binary"]}],
    });
    assert_eq!(first, expected);
    let second = site.negotiate(1);
    let all = [&first["connectionId"], &first["connectionToken"], &second["connectionId"]];
    assert!(all.iter().all(|id| id.as_str().unwrap().len() == 32));
    assert!(all[0] != all[1] && all[0] != all[2]);
    assert_eq!(site.gate.tokens(0), 2);
    let (status, body, _) = site.ask("GET /_blazor/initializers HTTP/1.1\r\nHost: pi\r\n\r\n");
    assert_eq!((&*status, &*body), ("200", "[]"));
}

#[test]
fn a_token_opens_one_connection_of_its_time() {
    let mut site = Site::new();
    let (first, second) = (token(&site.negotiate(0)), token(&site.negotiate(1)));
    assert_eq!(site.connect(1, &first), ("101".into(), Next::Switch));
    assert_eq!(site.connect(0, &first), ("403".into(), Next::Close));
    site.now = 15_001;
    assert_eq!(site.connect(1, &second), ("403".into(), Next::Close));
    let third = token(&site.negotiate(0));
    assert_eq!(site.connect(0, &third).0, "101");
    // Where the page is from that asks.
    assert_eq!(site.connected, ["http://10.0.0.7:8080", "http://pi.local"]);
    assert_eq!((site.gate.counters().token, site.gate.counters().in_all()), (2, 2));
}

/// Host and origin belong together.
#[test]
fn an_origin_has_its_own_host() {
    let mut site = Site::new();
    let request = "POST /_blazor/negotiate HTTP/1.1\r\nHost: pi.local\r\nOrigin: http://10.0.0.7:8080\r\n\r\n";
    assert_eq!(site.ask(request).0, "403");
    let request = "POST /_blazor/negotiate HTTP/1.1\r\nHost: pi\r\nOrigin: http://pi.local\r\n\r\n";
    assert_eq!(site.ask(request).0, "403");
    assert_eq!((site.gate.counters().origin, site.gate.counters().host), (1, 1));
    assert_eq!(site.gate.tokens(0), 0);
}

#[test]
fn without_random_numbers_nobody_is_let_in() {
    let mut site = Site::new();
    site.random = None;
    let request =
        "POST /_blazor/negotiate HTTP/1.1\r\nHost: pi.local\r\nOrigin: http://pi.local\r\n\r\n";
    assert_eq!(site.ask(request).0, "500");
    assert_eq!(site.gate.tokens(0), 0);
}

/// As Chromium sends it.
const FORM: &str = "------WebKitFormBoundaryAbC\r\nContent-Disposition: form-data; name=\"circuitId\"\r\n\r\nS3cret_-\r\n------WebKitFormBoundaryAbC--\r\n";
const KIND: &str = "multipart/form-data; boundary=----WebKitFormBoundaryAbC";

#[test]
fn a_page_that_is_left_names_its_circuit() {
    let mut site = Site::new();
    assert_eq!(site.disconnect(KIND, FORM), "200");
    // Firefox's dashes, quotes, other fields in front of it, names in capitals.
    let kind = "Multipart/Form-Data; charset=utf-8; Boundary=\"-2\"";
    let form = "---2\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\na\r\n---\r\n---\r\n---2\r\n\
        Content-Type: text/plain\r\nCONTENT-DISPOSITION: form-data;name=\"circuitId\"\r\n\r\nx\r\n---2--\r\n";
    assert_eq!(site.disconnect(kind, form), "200");
    assert_eq!(site.left, ["S3cret_-", "x"]);
}

#[test]
fn what_is_no_form_is_refused() {
    let mut site = Site::new();
    let mut refused = 0;
    let mut refuse = |kind: &str, body: &str| {
        assert_eq!(site.disconnect(kind, body), "400", "{kind}\n{body}");
        refused += 1;
    };
    for end in 0..FORM.len() - 4 {
        refuse(KIND, &FORM[..end]);
    }
    refuse("application/x-www-form-urlencoded", "circuitId=S3cret_-");
    refuse("multipart/form-data", FORM);
    refuse("multipart/form-data; boundary=", FORM);
    refuse("multipart/form-data; boundary=other", FORM);
    refuse(KIND, &FORM.replace("circuitId", "circuit"));
    refuse(KIND, &FORM.replace("name", "filename"));
    refuse(KIND, &FORM.replace("\r\n\r\n", "\r\n"));
    refuse(KIND, &format!("x{FORM}"));
    refuse(KIND, &FORM.replacen("AbC\r\n", "AbCd\r\n", 1));
    // What is behind the end is none of it.
    let end = "------WebKitFormBoundaryAbC--\r\n";
    refuse(KIND, &format!("{end}{}", FORM.split_once("\r\n").unwrap().1));
    assert_eq!(site.gate.counters().malformed, refused);
    assert!(site.left.is_empty());
}

#[test]
fn a_marker_is_read_as_it_was_written() {
    for front in [SERVER_MARKER, WEB_MARKER] {
        let marker = format!("{front}{}{MARKER_BACK}", "d".repeat(DESCRIPTOR_LEN));
        let json = marker.strip_prefix("<!--Blazor:").unwrap().strip_suffix("-->").unwrap();
        let parsed: Json = serde_json::from_str(json).unwrap();
        assert_eq!((&parsed["type"], &parsed["sequence"]), (&"server".into(), &0.into()));
        assert_eq!(parsed.get("key").is_some(), front == WEB_MARKER);
        let list = format!("[{json}]");
        let root = Roots::parse(&list).unwrap().next().unwrap().unwrap();
        assert!(root.sequence == 0 && root.descriptor == *"d".repeat(32));
    }
}
