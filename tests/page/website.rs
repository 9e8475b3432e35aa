//! The smallest server of HTTP that a browser loads a page from.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

/// Answers requests by their path until the process ends: with a type and a body.
pub(crate) fn serve<F>(answer: F) -> SocketAddr
where
    F: Fn(&str) -> Option<(&'static str, Vec<u8>)> + Send + Sync + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A browser gives up on connections as it likes.
            let _ = respond(stream, &answer);
        }
    });
    address
}

fn respond(
    stream: TcpStream,
    answer: &impl Fn(&str) -> Option<(&'static str, Vec<u8>)>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(&stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let target = request.split(' ').nth(1).unwrap_or_default();
    let path = target.split('?').next().unwrap_or_default();
    let (status, (kind, body)) = match answer(path) {
        Some(answer) => ("200 OK", answer),
        None => ("404 Not Found", ("text/plain", Vec::new())),
    };
    let length = body.len();
    write!(
        &stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    (&stream).write_all(&body)
}
