//! What the bytes are: found out, or said.

use onewrite::bsatn::{Decode, RowList};
use onewrite::error::DecodeError;
use onewrite::reader::Reader;
use onewrite::render_batch::BatchView;
use onewrite::spacetimedb::{Payload, v1, v2, v3};

use super::arguments::Kind;
use super::batch;
use super::inflate::{Inflater, Refusal};

/// The bytes, and what is behind the first of them where that says how they are compressed.
#[derive(Debug)]
pub(crate) struct Input<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) body: Body<'a>,
}

/// A server's message without the byte for its compression.
#[derive(Debug)]
pub(crate) enum Body<'a> {
    /// As it lies in the bytes, from this one on.
    Plain(usize, &'a [u8]),
    Inflated(&'static str, Vec<u8>),
    NotInflated(&'static str, Refusal),
    /// There is no such byte.
    None(DecodeError),
}

impl<'a> Input<'a> {
    /// `whole` where the byte for the compression is not there.
    pub(crate) fn new(bytes: &'a [u8], whole: bool, inflater: &mut Inflater) -> Self {
        let body = if whole {
            Body::Plain(0, bytes)
        } else {
            match Payload::new(bytes) {
                Ok(Payload::Plain(body)) => Body::Plain(1, body),
                Ok(payload) => {
                    let name = if matches!(payload, Payload::Gzip(_)) { "gzip" } else { "brotli" };
                    match inflater.inflate(payload) {
                        Ok(inflated) => Body::Inflated(name, inflated),
                        Err(refusal) => Body::NotInflated(name, refusal),
                    }
                }
                Err(error) => Body::None(error),
            }
        };
        Self { bytes, body }
    }

    /// Whether the bytes are one of `kind`, as the library sees it; else where they are not.
    fn check(&self, kind: Kind) -> Result<(), DecodeError> {
        let body: &[u8] = match (&self.body, kind) {
            (Body::Plain(_, body), _) => body,
            (Body::Inflated(_, body), _) => body,
            (Body::None(error), Kind::ServerV1 | Kind::ServerV2 | Kind::ServerV3) => {
                return Err(*error);
            }
            _ => &[],
        };
        match kind {
            Kind::RenderBatch => BatchView::lenient(self.bytes).map(|_| ()),
            Kind::ServerV1 => v1::ServerMessage::from_slice(body).map(|_| ()),
            Kind::ServerV2 => v2::ServerMessage::from_slice(body).map(|_| ()),
            Kind::ServerV3 => {
                v3::ServerMessages::new(body)?.try_for_each(|message| message.map(|_| ()))
            }
            Kind::ClientV1 => v1::ClientMessage::from_slice(self.bytes).map(|_| ()),
            Kind::ClientV2 => v2::ClientMessage::from_slice(self.bytes).map(|_| ()),
            Kind::ClientV3 => {
                let mut reader = Reader::new(self.bytes);
                v2::ClientMessage::decode(&mut reader)?;
                while reader.remaining() != 0 {
                    v2::ClientMessage::decode(&mut reader)?;
                }
                Ok(())
            }
            Kind::RowList => RowList::from_slice(self.bytes).map(|_| ()),
            // Any bytes are some value.
            Kind::Bsatn => Err(DecodeError::new(0, onewrite::error::DecodeErrorKind::Refused)),
        }
    }

    /// What the bytes are, and what else they could be.
    pub(crate) fn detect(&self) -> Detected {
        let fits: Vec<Kind> = ORDER.into_iter().filter(|kind| self.check(*kind).is_ok()).collect();
        if let [kind, rest @ ..] = fits.as_slice() {
            // What is one message of version 2 is always a payload of version 3 as well.
            let more = |other: &&Kind| {
                !matches!(
                    (kind, other),
                    (Kind::ServerV2, Kind::ServerV3) | (Kind::ClientV2, Kind::ClientV3)
                )
            };
            let others = rest.iter().filter(more).copied().collect();
            return Detected { kind: *kind, fits: true, others };
        }
        let fits = false;
        let others = Vec::new();
        if batch::positions(self.bytes).is_some() {
            return Detected { kind: Kind::RenderBatch, fits, others };
        }
        if let Body::NotInflated("gzip", _) = self.body
            && self.bytes.get(1..3) == Some(&GZIP)
        {
            return Detected { kind: Kind::ServerV2, fits, others };
        }
        let is_server =
            |kind: Kind| matches!(kind, Kind::ServerV1 | Kind::ServerV2 | Kind::ServerV3);
        // What inflates whole is no accident.
        let inflated = matches!(self.body, Body::Inflated(..));
        let start = if matches!(self.body, Body::Plain(1, _)) { 1 } else { 0 };
        let far = |kind: &Kind| {
            let start = if is_server(*kind) { start } else { 0 };
            self.check(*kind).err().map_or(0, |error| error.at.saturating_add(start))
        };
        // The last of those that get equally far, so that the likeliest is asked last.
        let messages = ORDER
            .into_iter()
            .rev()
            .filter(|kind| if inflated { is_server(*kind) } else { *kind != Kind::RenderBatch });
        let kind = messages.max_by_key(far).unwrap_or(Kind::ServerV2);
        Detected { kind, fits, others }
    }
}

/// What a gzip member begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The likeliest first.
const ORDER: [Kind; 8] = [
    Kind::RenderBatch,
    Kind::ServerV2,
    Kind::ServerV1,
    Kind::ServerV3,
    Kind::ClientV2,
    Kind::ClientV1,
    Kind::ClientV3,
    Kind::RowList,
];

/// What bytes are.
#[derive(Debug)]
pub(crate) struct Detected {
    pub(crate) kind: Kind,
    /// Whether they are; else no kind fits, and this one gets farthest.
    pub(crate) fits: bool,
    /// What else they could be.
    pub(crate) others: Vec<Kind>,
}
