//! The types that SpacetimeDB gives a meaning of their own.
//!
//! Each is a product of one field, so it costs that field's bytes and nothing else.

use super::wide::reversed;
use super::{Decode, Encode, Output};
use crate::error::DecodeError;
use crate::reader::Reader;
use crate::record::Bounded;

/// Who someone is, across databases.
///
/// | offset | size | type | meaning |
/// |---|---|---|---|
/// | 0 | 32 | u256 LE | `__identity__` |
///
/// People write it as 64 hexadecimal digits, most significant first: the wire has them reversed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Identity([u8; 32]);

impl Identity {
    /// The identity with these bytes, as on the wire.
    #[must_use]
    pub const fn from_le_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The identity with these bytes, as people write it.
    #[must_use]
    pub const fn from_be_bytes(bytes: [u8; 32]) -> Self {
        Self(reversed(bytes))
    }

    /// The bytes on the wire.
    #[must_use]
    pub const fn to_le_bytes(self) -> [u8; 32] {
        self.0
    }

    /// The bytes as people write them.
    #[must_use]
    pub const fn to_be_bytes(self) -> [u8; 32] {
        reversed(self.0)
    }
}

/// One connection of a client.
///
/// | offset | size | type | meaning |
/// |---|---|---|---|
/// | 0 | 16 | u128 LE | `__connection_id__`; zero stands for none |
///
/// People write it as 32 hexadecimal digits, most significant first: the wire has them reversed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ConnectionId([u8; 16]);

impl ConnectionId {
    /// The id with these bytes, as on the wire.
    #[must_use]
    pub const fn from_le_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The id with these bytes, as people write it.
    #[must_use]
    pub const fn from_be_bytes(bytes: [u8; 16]) -> Self {
        Self(reversed(bytes))
    }

    /// The bytes on the wire.
    #[must_use]
    pub const fn to_le_bytes(self) -> [u8; 16] {
        self.0
    }

    /// The bytes as people write them.
    #[must_use]
    pub const fn to_be_bytes(self) -> [u8; 16] {
        reversed(self.0)
    }
}

/// A UUID.
///
/// | offset | size | type | meaning |
/// |---|---|---|---|
/// | 0 | 16 | u128 LE | `__uuid__`, the number that the text is in hexadecimal |
///
/// The bytes on the wire are those of RFC 9562, reversed.
///
/// ```
/// use onewrite::bsatn::Uuid;
///
/// let uuid = Uuid::from_be_bytes(0x01234567_89ab_7def_8123_456789abcdef_u128.to_be_bytes());
/// assert_eq!(uuid.to_le_bytes()[..4], [0xef, 0xcd, 0xab, 0x89]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Uuid([u8; 16]);

impl Uuid {
    /// The UUID with these bytes, as on the wire.
    #[must_use]
    pub const fn from_le_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The UUID with these bytes, in the order of its text and of RFC 9562.
    #[must_use]
    pub const fn from_be_bytes(bytes: [u8; 16]) -> Self {
        Self(reversed(bytes))
    }

    /// The bytes on the wire.
    #[must_use]
    pub const fn to_le_bytes(self) -> [u8; 16] {
        self.0
    }

    /// The bytes in the order of the text.
    #[must_use]
    pub const fn to_be_bytes(self) -> [u8; 16] {
        reversed(self.0)
    }
}

/// A point in time.
///
/// | offset | size | type | meaning |
/// |---|---|---|---|
/// | 0 | 8 | i64 LE | `__timestamp_micros_since_unix_epoch__` |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Timestamp {
    /// Microseconds since 1970-01-01 00:00 UTC.
    pub micros: i64,
}

impl Timestamp {
    /// The time with these bytes, as on the wire.
    #[must_use]
    pub const fn from_le_bytes(bytes: [u8; 8]) -> Self {
        Self { micros: i64::from_le_bytes(bytes) }
    }

    /// The bytes on the wire.
    #[must_use]
    pub const fn to_le_bytes(self) -> [u8; 8] {
        self.micros.to_le_bytes()
    }
}

/// A span of time, which may be negative.
///
/// | offset | size | type | meaning |
/// |---|---|---|---|
/// | 0 | 8 | i64 LE | `__time_duration_micros__` |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TimeDuration {
    /// Microseconds.
    pub micros: i64,
}

impl TimeDuration {
    /// The span with these bytes, as on the wire.
    #[must_use]
    pub const fn from_le_bytes(bytes: [u8; 8]) -> Self {
        Self { micros: i64::from_le_bytes(bytes) }
    }

    /// The bytes on the wire.
    #[must_use]
    pub const fn to_le_bytes(self) -> [u8; 8] {
        self.micros.to_le_bytes()
    }
}

array_of_bytes!(Identity 32 ConnectionId 16 Uuid 16 Timestamp 8 TimeDuration 8);

/// When a scheduled reducer runs.
///
/// | offset | size | type | meaning |
/// |---|---|---|---|
/// | 0 | 1 | u8 | 0 for an interval, 1 for a time |
/// | 1 | 8 | i64 LE | microseconds |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ScheduleAt {
    /// Again and again.
    Interval(TimeDuration),
    /// Once.
    Time(Timestamp),
}

impl Bounded for ScheduleAt {
    const MIN_SIZE: usize = 9;
    const MAX_SIZE: usize = 9;
}

impl Encode for ScheduleAt {
    const MIN_SIZE: usize = 9;
    const MAX_SIZE: usize = 9;
    type Scratch = [u8; 9];

    #[inline]
    fn encoded_len(&self) -> usize {
        9
    }

    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        let (tag, micros) = match self {
            Self::Interval(interval) => (0, interval.micros),
            Self::Time(time) => (1, time.micros),
        };
        out.array([tag]);
        out.array(micros.to_le_bytes());
    }
}

impl Decode<'_> for ScheduleAt {
    const MIN_SIZE: usize = 9;
    const MAX_SIZE: usize = 9;
    const DEPTH: usize = 2;

    #[inline]
    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let before = *reader;
        match reader.u8()? {
            0 => TimeDuration::decode(reader).map(Self::Interval),
            1 => Timestamp::decode(reader).map(Self::Time),
            tag => Err(super::sum::unknown_tag(&before, "ScheduleAt", tag)),
        }
    }
}
