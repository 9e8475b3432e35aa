//! Requests and responses of HTTP/1.1 (RFC 9112), as far as a load needs them.

use super::connection::Answer;

/// One connection over HTTP/1.1.
#[derive(Debug)]
pub(crate) struct Http1 {
    authority: String,
    asked: u64,
    answered: u64,
    closing: bool,
}

/// The longest head of a response that is read.
const HEAD_BYTES: usize = 16 * 1024;

impl Http1 {
    pub(crate) fn new(authority: &str) -> Self {
        Self { authority: authority.to_owned(), asked: 0, answered: 0, closing: false }
    }

    /// The request of .NET's client: no field but Host.
    pub(crate) fn request(&mut self, path: &str, output: &mut Vec<u8>) -> u64 {
        output.extend_from_slice(b"GET ");
        output.extend_from_slice(path.as_bytes());
        output.extend_from_slice(b" HTTP/1.1\r\nHost: ");
        output.extend_from_slice(self.authority.as_bytes());
        output.extend_from_slice(b"\r\n\r\n");
        self.asked += 1;
        self.asked
    }

    /// Whether the server has said that it closes the connection.
    pub(crate) const fn is_closing(&self) -> bool {
        self.closing
    }

    /// The response at the start of `input` and its length; nothing if it is not complete.
    pub(crate) fn understand(&mut self, input: &[u8]) -> Result<(usize, Option<Answer>), String> {
        let Some(head) = input.windows(4).position(|end| end == b"\r\n\r\n") else {
            if input.len() > HEAD_BYTES {
                return Err("the head of a response does not end".to_owned());
            }
            return Ok((0, None));
        };
        if self.answered == self.asked {
            return Err("a response that nobody asked for".to_owned());
        }
        let (head, rest) = input.split_at_checked(head + 4).unwrap_or_default();
        let Head { status, length, closes } = Head::read(head)?;
        let Some(body) = rest.get(..length) else { return Ok((0, None)) };
        self.closing |= closes;
        self.answered += 1;
        let answer = Answer { request: self.answered, status, body: body.to_vec() };
        Ok((head.len() + length, Some(answer)))
    }
}

/// What a client has to know of a response's head.
#[derive(Debug, PartialEq, Eq)]
struct Head {
    status: u16,
    length: usize,
    closes: bool,
}

impl Head {
    fn read(head: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(head).map_err(|_| "a head is not UTF-8".to_owned())?;
        let mut lines = text.split("\r\n");
        let line = lines.next().unwrap_or_default();
        let code = line.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.split(' ').next());
        let status = code
            .filter(|code| code.len() == 3)
            .and_then(|code| code.parse().ok())
            .ok_or_else(|| format!("no status line: {line:?}"))?;
        let (mut length, mut closes) = (None, false);
        for line in lines.filter(|line| !line.is_empty()) {
            let (name, value) =
                line.split_once(':').ok_or_else(|| format!("no header line: {line:?}"))?;
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = Some(value.parse().map_err(|_| line.to_owned())?),
                "transfer-encoding" => return Err(format!("{line}: not read by this client")),
                "connection" => closes |= value.eq_ignore_ascii_case("close"),
                _ => {}
            }
        }
        let length = length.ok_or("a response without content-length".to_owned())?;
        Ok(Self { status, length, closes })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

    use super::*;

    #[test]
    fn a_request_has_only_what_dotnet_sends() {
        let mut output = Vec::new();
        assert_eq!(Http1::new("pi:80").request("/data", &mut output), 1);
        assert_eq!(output, b"GET /data HTTP/1.1\r\nHost: pi:80\r\n\r\n");
    }

    #[test]
    fn pipelined_answers_come_in_order_and_whole() {
        let one = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
        let two = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nconnection: close\r\n\r\n";
        let both = [one.as_slice(), two].concat();
        let mut wire = Http1::new("pi");
        wire.request("/", &mut Vec::new());
        wire.request("/", &mut Vec::new());
        for cut in 0..one.len() {
            assert_eq!(wire.understand(&both[..cut]).unwrap(), (0, None));
        }
        let (used, answer) = wire.understand(&both).unwrap();
        assert_eq!(used, one.len());
        assert_eq!(answer, Some(Answer { request: 1, status: 200, body: b"hi".to_vec() }));
        assert!(!wire.is_closing());
        let (used, answer) = wire.understand(two).unwrap();
        assert_eq!((used, answer.unwrap().status), (two.len(), 404));
        assert!(wire.is_closing());
        assert!(wire.understand(one).is_err());
    }

    #[test]
    fn a_broken_head_is_named() {
        for head in [
            "HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 20 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        ] {
            assert!(Head::read(head.as_bytes()).is_err(), "{head}");
        }
    }
}
