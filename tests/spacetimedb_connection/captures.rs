//! The captured connections, in order.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

/// One WebSocket message, or the end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Captured {
    /// Whether the server has sent it.
    pub(crate) of_server: bool,
    /// None where it was left out of the capture.
    pub(crate) bytes: Option<Vec<u8>>,
    /// Whether it is a close frame's payload; without bytes, the end of the connection below.
    pub(crate) closes: bool,
}

/// All of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) name: String,
    /// `v1`, `v2` or `v3`.
    pub(crate) protocol: String,
    /// `None`, `Gzip`, `Brotli`, or nothing.
    pub(crate) compression: Option<String>,
    pub(crate) messages: Vec<Captured>,
}

/// Every connection of the captures.
pub(crate) fn sessions() -> Vec<Session> {
    let folder = match std::env::var_os("ONEWRITE_VECTORS") {
        Some(folder) => PathBuf::from(folder).join("spacetimedb_live"),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spacetimedb_live"),
    };
    let index = std::fs::read_to_string(folder.join("index.jsonl")).unwrap();
    let mut sessions: Vec<Session> = Vec::new();
    for line in index.lines() {
        let line: Json = serde_json::from_str(line).unwrap();
        let text = |name: &str| line[name].as_str().map(str::to_owned);
        let name = text("session").unwrap();
        // Two connections that were open at the same time take turns.
        let known = sessions.iter().position(|session| session.name == name);
        let at = known.unwrap_or_else(|| {
            sessions.push(Session {
                name,
                protocol: text("protocol").unwrap(),
                compression: text("compression_asked"),
                messages: Vec::new(),
            });
            sessions.len() - 1
        });
        let number = |name: &str| usize::try_from(line[name].as_u64().unwrap()).unwrap();
        let bytes = (line["omitted"] != true && line["what"] != "tcp-eof").then(|| {
            let file = std::fs::read(folder.join(line["file"].as_str().unwrap())).unwrap();
            file[number("offset")..][..number("len")].to_vec()
        });
        sessions[at].messages.push(Captured {
            of_server: line["dir"] == "s2c",
            bytes,
            closes: line["what"].is_string(),
        });
    }
    sessions
}
