//! The way to a connection: the page with its marker, a token, the upgrade.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use onewrite::sink::SliceSink;
use onewrite::websocket::{Ask, ClientHandshake};
use serde_json::Value as Json;

use super::random::Random;

/// A connection that is a WebSocket, and what the page said.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(crate) socket: TcpStream,
    /// What is in the page's comment.
    pub(crate) marker: Json,
    /// Frames that came with the response.
    pub(crate) rest: Vec<u8>,
}

impl Visit {
    /// Goes to the page of `server` and all the way, as a browser does.
    pub(crate) fn pay(
        server: &str,
        timeout: Duration,
        random: &mut Random,
    ) -> Result<Self, String> {
        let mut socket =
            TcpStream::connect(server).map_err(|error| format!("{server}: {error}"))?;
        let set = socket
            .set_nodelay(true)
            .and_then(|()| socket.set_read_timeout(Some(timeout)))
            .and_then(|()| socket.set_write_timeout(Some(timeout)));
        set.map_err(|error| error.to_string())?;
        let get = format!("GET / HTTP/1.1\r\nHost: {server}\r\n\r\n");
        let page = ask(&mut socket, &get)?;
        let marker = page.split_once("<!--Blazor:").and_then(|(_, rest)| rest.split_once("-->"));
        let (marker, _) = marker.ok_or("the page has no marker")?;
        let marker = serde_json::from_str(marker).map_err(|error| format!("marker: {error}"))?;
        let post = format!(
            "POST /_blazor/negotiate?negotiateVersion=1 HTTP/1.1\r\nHost: {server}\r\n\
             Origin: http://{server}\r\nContent-Length: 0\r\n\r\n"
        );
        let answer = ask(&mut socket, &post)?;
        let answer: Json =
            serde_json::from_str(&answer).map_err(|error| format!("negotiate: {error}"))?;
        let token = answer.get("connectionToken").and_then(Json::as_str);
        let target = format!("/_blazor?id={}", token.ok_or("there is no token")?);
        let origin = format!("http://{server}");
        let handshake = ClientHandshake::new(&random.sixteen());
        let ask = Ask {
            host: server,
            target: &target,
            origin: Some(&origin),
            protocols: &[],
            fields: &[],
        };
        let mut room = [0; 1024];
        let mut request = SliceSink::new(&mut room);
        handshake.request(&ask, &mut request).map_err(|error| format!("upgrade: {error:?}"))?;
        socket.write_all(request.into_written()).map_err(|error| error.to_string())?;
        let mut answer = Vec::new();
        loop {
            read(&mut socket, &mut answer)?;
            let opened = handshake.response(&ask, &answer);
            if let Some(opened) = opened.map_err(|error| format!("upgrade: {error:?}"))? {
                let rest = answer.split_off(opened.len);
                return Ok(Self { socket, marker, rest });
            }
        }
    }
}

/// Sends a request and returns the body of the response, which has a length.
fn ask(socket: &mut TcpStream, request: &str) -> Result<String, String> {
    let line = request.lines().next().unwrap_or_default();
    socket.write_all(request.as_bytes()).map_err(|error| format!("{line}: {error}"))?;
    let mut answer = Vec::new();
    loop {
        read(socket, &mut answer)?;
        let text = String::from_utf8_lossy(&answer);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        if !head.starts_with("HTTP/1.1 200 ") {
            return Err(format!("{line}: {}", head.lines().next().unwrap_or_default()));
        }
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
        });
        let length: usize = length.ok_or_else(|| format!("{line}: no length"))?;
        if body.len() >= length {
            return Ok(body.to_owned());
        }
    }
}

/// Appends what comes next.
fn read(socket: &mut TcpStream, to: &mut Vec<u8>) -> Result<(), String> {
    let mut piece = [0; 4096];
    match socket.read(&mut piece) {
        Ok(0) => Err("the server closed the connection".to_owned()),
        Ok(len) => {
            to.extend_from_slice(piece.get(..len).unwrap_or_default());
            Ok(())
        }
        Err(error) => Err(format!("no answer: {error}")),
    }
}
