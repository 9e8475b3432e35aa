//! What a client may do before it is refused.

/// What a client may do before it is refused.
///
/// None of these costs memory in a connection: that is set by the parameters of
/// [`Conn`](crate::http::Conn).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes in the head of a request over HTTP/1.1, with trailers and the extensions of chunks; more is
    /// status 431, in a request line 414, in an extension 413.
    pub head: usize,
    /// Header fields of a request, trailers included; more is status 431.
    pub fields: usize,
    /// Bytes in the target of a request; more is status 414.
    pub target: usize,
    /// Bytes of a header list over HTTP/2 as RFC 9113 section 10.5.1 counts them, 32 a field above its
    /// name and value; more is status 431.
    pub header_list: usize,
    /// Bytes in the body of a request, which is read and dropped; more is status 413. Over HTTP/2 that
    /// comes at the end of the body, or with a reset where it has more than 16 times as many.
    pub body: u64,
    /// CONTINUATION frames of one header block.
    pub continuations: u32,
    /// Streams that end in a reset, the client's or our own, more than requests that were answered
    /// pay for; and so of frames that ask for nothing (empty DATA, PING, SETTINGS, PRIORITY,
    /// `WINDOW_UPDATE`, unknown). See [`Conn`](crate::http::Conn) for how these are counted.
    pub resets: u32,
    /// See `resets`.
    pub idle_frames: u32,
}

impl Limits {
    /// 8 KiB of head, 100 fields, 4 KiB of target, 16 KiB of header list, 64 KiB of body.
    pub const DEFAULT: Self = Self {
        head: 8192,
        fields: 100,
        target: 4096,
        header_list: 16_384,
        body: 65_536,
        continuations: 16,
        resets: 200,
        idle_frames: 500,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
