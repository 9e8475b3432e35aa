//! What goes out is the literal, over both protocols and in outputs of every size.

use hex_literal::hex;
use onewrite::http::{
    Conn, Handler, Next, NoBody, Protocol, Request, Response, Route, Routes, date, response, routes,
};

const EPOCH: &[u8; 29] = b"Thu, 01 Jan 1970 00:00:00 GMT";
const NOW: u64 = 784_111_777;

response! { static HELLO = 200, { "content-type": "text/plain" }, b"Hello World" }
response! {
    static SENSOR = 200, { "x-a": [hole(A, 2)], "date": [hole(DATE = EPOCH)] },
    ["n=", hole(COUNT, 3)]
}
response! {
    static PAGE = 200, { "x-a": [hole(A, 2)], "date": [hole(DATE = EPOCH)] },
    &[b'x'; 20_000], etag = "page"
}
response! { static DYNAMIC = 200, { "date": [hole(DATE = EPOCH)] }, dynamic(max = 100) }
routes! {
    static SITE = { "/" => HELLO, "/sensor" => SENSOR, "/page" => PAGE, "/dynamic" => DYNAMIC }
}

/// Fills holes of every response, whatever they are called there.
struct Clock;

impl Handler for Clock {
    fn fill(&mut self, _: Request, _: usize, bytes: &mut [u8]) {
        match bytes.len() {
            29 => bytes.copy_from_slice(&date(NOW)),
            3 => bytes.copy_from_slice(b"789"),
            _ => bytes.copy_from_slice(b"ab"),
        }
    }

    fn body(&mut self, _: Request, body: &mut [u8]) -> Result<usize, NoBody> {
        assert_eq!(body.len(), 100);
        body[..7].copy_from_slice(b"written");
        Ok(7)
    }
}

/// Everything that goes out, in outputs of `room` bytes.
fn talk(site: &Routes<'_>, input: &[u8], room: usize) -> Vec<u8> {
    let mut conn = Conn::<16, 1024, 0>::new(Protocol::Auto);
    let (mut said, mut rest) = (Vec::new(), input);
    loop {
        let mut output = vec![0xa5; room];
        let fed = conn.feed_with(site, &mut Clock, rest, &mut output);
        rest = &rest[fed.consumed..];
        said.extend_from_slice(&output[..fed.written]);
        assert_ne!(fed.next, Next::Close);
        let Next::Flush { needed } = fed.next else { break };
        assert!(needed <= room && fed.written > 0, "stuck");
    }
    assert!(rest.is_empty());
    said
}

fn http1(path: &str, fields: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: pi\r\n{fields}\r\n").into_bytes()
}

fn filled(bytes: &[u8]) -> String {
    let date = date(NOW);
    String::from_utf8_lossy(bytes)
        .replace(core::str::from_utf8(EPOCH).unwrap(), core::str::from_utf8(&date).unwrap())
        .replace("n=000", "n=789")
        .replace("x-a: 00", "x-a: ab")
}

/// From the shortest output that takes each head, and some that take a body as well.
fn rooms() -> impl Iterator<Item = usize> {
    let least = SITE.min_output();
    assert!(least < 400, "{least}: a page of 20,000 bytes goes out in pieces");
    (least..least + 40).chain([1_000, 16_384, 20_500, 50_000])
}

#[test]
fn http1_has_its_bytes_with_the_holes_filled() {
    let input = [
        http1("/", ""),
        http1("/sensor", ""),
        http1("/page", ""),
        http1("/page", "if-none-match: \"page\"\r\n"),
        http1("/dynamic", ""),
        http1("/", ""),
    ]
    .concat();
    let dynamic = format!(
        "HTTP/1.1 200 OK\r\ncontent-length:     7\r\ndate: {}\r\n\r\nwritten",
        date(NOW).escape_ascii()
    );
    let expected = [
        filled(HELLO.http1()),
        filled(SENSOR.http1()),
        filled(PAGE.http1()),
        filled(PAGE.not_modified().unwrap().http1()),
        dynamic,
        filled(HELLO.http1()),
    ]
    .concat();
    for room in rooms() {
        let said = talk(&SITE, &input, room);
        assert!(said == expected.as_bytes(), "{room}: {}", said.escape_ascii());
    }
}

#[test]
fn http1_sends_a_page_that_fits_in_one_piece() {
    let mut conn = Conn::<16, 1024, 0>::new(Protocol::Http1);
    let mut output = vec![0; PAGE.http1().len() + 10];
    let input = [http1("/", ""), http1("/page", "")].concat();
    let fed = conn.feed_with(&SITE, &mut Clock, &input, &mut output);
    assert_eq!(fed.written, HELLO.http1().len());
    let fed = conn.feed_with(&SITE, &mut Clock, &input[fed.consumed..], &mut output);
    assert_eq!((fed.written, fed.next), (PAGE.http1().len(), Next::Read));
}

/// A head with holes goes out whole, whatever is behind it.
#[test]
fn a_long_head_takes_an_output_of_its_length() {
    response! {
        static LONG = 200, { "x-a": [hole(A = &[b'a'; 29]), &[b'b'; 900]] }, &[b'x'; 9_000]
    }
    let routes = [Route::new("/", &LONG)];
    let site = Routes::new(&routes).unwrap();
    let head = LONG.http1().len() - 9_000;
    let close = "connection: close\r\n".len();
    assert!((head + close..head + 300).contains(&site.min_output()), "{}", site.min_output());
    let said = talk(&site, &http1("/", ""), site.min_output());
    assert_eq!(said.len(), LONG.http1().len());
    let mut output = vec![0; site.min_output()];
    let input = http1("/", "connection: close\r\n");
    let fed = Conn::<16, 1024, 0>::new(Protocol::Auto).feed(&site, &input, &mut output);
    assert_eq!(fed.written, output.len());
}

/// A request over HTTP/2, and what comes back behind the SETTINGS: the fields, the body.
fn http2(path: &str, etag: &str, room: usize) -> (Vec<(String, Vec<u8>)>, Vec<u8>) {
    let string = |text: &str| [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
    let mut block = [&hex!("82 86 04")[..], &string(path)].concat();
    if !etag.is_empty() {
        block.extend([&hex!("0f 1a")[..], &string(etag)].concat());
    }
    let input = [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        &hex!("000000 04 00 00000000")[..],
        &[0, 0, u8::try_from(block.len()).unwrap(), 1, 5, 0, 0, 0, 1],
        &block,
    ]
    .concat();
    let said = talk(&SITE, &input, room);
    let (mut fields, mut body, mut rest, mut ended) = (Vec::new(), Vec::new(), &said[..], false);
    while let Some((header, behind)) = rest.split_first_chunk::<9>() {
        let len = u32::from_be_bytes([0, header[0], header[1], header[2]]) as usize;
        let (payload, behind) = behind.split_at(len);
        match header[3] {
            0 => body.extend_from_slice(payload),
            1 => fields = loona_hpack::Decoder::new().decode(payload).unwrap(),
            _ => assert_eq!(header[5..], [0; 4]),
        }
        if header[3] < 2 {
            assert!(!ended);
            assert_eq!(header[5..], [0, 0, 0, 1]);
            ended = header[4] & 1 != 0;
        }
        rest = behind;
    }
    assert!(ended && rest.is_empty());
    let text = |name| String::from_utf8(name).unwrap();
    (fields.into_iter().map(|(name, value)| (text(name), value)).collect(), body)
}

fn check(response: &Response<'_>, path: &str, etag: &str) {
    let split = |response: &Response<'_>| -> (Vec<String>, Vec<u8>) {
        let text = filled(response.http1());
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.lines().skip(1).map(str::to_owned).collect(), body.as_bytes().to_vec())
    };
    let (lines, expected) = split(response);
    for room in rooms() {
        let (fields, body) = http2(path, etag, room);
        assert!(body == expected, "{room}: {} bytes", body.len());
        let said: Vec<String> = fields[1..]
            .iter()
            .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value)))
            .collect();
        assert_eq!(said, lines);
    }
}

#[test]
fn http2_says_the_same() {
    check(&HELLO, "/", "");
    check(&SENSOR, "/sensor", "");
    check(&PAGE, "/page", "");
    check(PAGE.not_modified().unwrap(), "/page", "\"page\"");
    let (fields, body) = http2("/dynamic", "", 1_000);
    assert_eq!(body, b"written");
    assert_eq!(fields[1], ("date".to_owned(), date(NOW).to_vec()));
}
