//! Messages that real clients and a server exchanged: `tests/data/circuit`.

use serde_json::Value;

/// A WebSocket message.
pub(crate) struct Vector {
    pub(crate) from_client: bool,
    /// Which client was there.
    pub(crate) client: String,
    /// What it is, for people.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// Its first hub message as the client's own values.
    pub(crate) decoded: Option<Value>,
}

impl Vector {
    /// Whether there are hub messages in it.
    pub(crate) fn is_hub(&self) -> bool {
        !self.name.starts_with("handshake") && self.name != "ws close"
    }
}

pub(crate) fn all() -> Vec<Vector> {
    let text = include_str!("../data/circuit/vectors.json");
    let file: Value = serde_json::from_str(text).unwrap();
    let vectors: Vec<_> = file["messages"].as_array().unwrap().iter().map(vector).collect();
    assert_eq!(vectors.len(), 90);
    vectors
}

/// The messages with which `part` of a client's name was served.
pub(crate) fn with(part: &str) -> Vec<Vector> {
    let vectors: Vec<_> = all().into_iter().filter(|vector| vector.client.contains(part)).collect();
    assert!(!vectors.is_empty(), "{part}");
    vectors
}

fn vector(value: &Value) -> Vector {
    let text = |key: &str| value[key].as_str().unwrap().to_owned();
    let bytes = bytes(&text("hex"));
    assert_eq!(value["length"].as_u64(), Some(bytes.len() as u64));
    Vector {
        from_client: text("from") == "client",
        client: text("client"),
        name: text("message"),
        bytes,
        decoded: value.get("decoded").cloned(),
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let pair = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(pair).collect()
}
