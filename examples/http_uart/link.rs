//! What goes over the line between a board and its relay.
//!
//! | offset | size | what |
//! |---|---|---|
//! | 0 | 1 | kind |
//! | 1 | 1 | channel: which connection, 0 to 3 |
//! | 2 | 2 | length of what follows, little-endian, at most 512 |
//! | 4 | | bytes of the connection |
//!
//! | kind | from | says |
//! |---|---|---|
//! | `H` | relay | hello: forget every connection |
//! | `O` | relay | a client has connected |
//! | `D` | both | bytes of the connection |
//! | `C` | both | the connection is closed |
//! | `Q` | relay | end the program, once this is answered |
//! | `R` | board | ready: it is the relay's turn |
//!
//! They take turns, because a UART without flow control loses what nobody reads: the relay sends one
//! frame, the board sends what it has to say to it, and `R`. A byte between frames that is no kind is
//! skipped. So a relay that does not know where its board stands sends as many zeros as a frame has
//! bytes, and `H`.

/// Bytes in front of a frame's own.
pub(crate) const HEAD: usize = 4;
/// The most bytes of a connection in one frame.
pub(crate) const PAYLOAD: usize = 512;
/// Connections at the same time.
pub(crate) const CHANNELS: usize = 4;

/// What a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Hello,
    Open,
    Data,
    Close,
    Quit,
    Ready,
}

impl Kind {
    const ALL: [(u8, Self); 6] = [
        (b'H', Self::Hello),
        (b'O', Self::Open),
        (b'D', Self::Data),
        (b'C', Self::Close),
        (b'Q', Self::Quit),
        (b'R', Self::Ready),
    ];

    pub(crate) fn of(byte: u8) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == byte).map(|(_, kind)| *kind)
    }

    pub(crate) const fn byte(self) -> u8 {
        match self {
            Self::Hello => b'H',
            Self::Open => b'O',
            Self::Data => b'D',
            Self::Close => b'C',
            Self::Quit => b'Q',
            Self::Ready => b'R',
        }
    }
}

/// The head of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) kind: Kind,
    pub(crate) channel: usize,
    pub(crate) len: usize,
}

impl Head {
    /// `None` for what no side ever sends.
    pub(crate) fn from_bytes(bytes: [u8; HEAD]) -> Option<Self> {
        let [kind, channel, low, high] = bytes;
        let (channel, len) = (usize::from(channel), usize::from(u16::from_le_bytes([low, high])));
        let kind = Kind::of(kind)?;
        (channel < CHANNELS && len <= PAYLOAD).then_some(Self { kind, channel, len })
    }

    pub(crate) const fn to_bytes(self) -> [u8; HEAD] {
        // Both fit: see `from_bytes`.
        #[allow(clippy::cast_possible_truncation, reason = "CHANNELS and PAYLOAD are small")]
        let ([low, high], channel) = ((self.len as u16).to_le_bytes(), self.channel as u8);
        [self.kind.byte(), channel, low, high]
    }
}
