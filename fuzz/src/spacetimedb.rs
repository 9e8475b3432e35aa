//! BSATN, row lists, and messages of SpacetimeDB's servers: whole, in pieces, and written again.

use onewrite::bsatn::{
    AlgebraicType, Array, Decode, Element, Encode, RowList, RowListStream, RowsEvent, StreamError,
    StreamErrorKind, Tail, Walker,
};
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::reader::Reader;
use onewrite::spacetimedb::stream::{Event, MessageStream, Version};
use onewrite::spacetimedb::{v1, v2, v3};

use crate::Numbers;
use crate::whole::{Said, Whole};

/// A value. The first byte says of which type.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn bsatn(data: &[u8]) {
    use AlgebraicType as Ty;
    const fn field(ty: AlgebraicType<'static>) -> Element<'static> {
        Element { name: None, ty }
    }
    const UNIT: Ty<'_> = Ty::Product(&[]);
    const MIXED: Ty<'_> =
        Ty::Product(&[field(Ty::U32), field(Ty::U64), field(Ty::I32), field(Ty::String)]);
    const OPTION: Ty<'_> =
        Ty::Sum(&[field(Ty::Sum(&[field(Ty::F32), field(Ty::Array(&Ty::U8))])), field(UNIT)]);
    const NESTED: Ty<'_> = Ty::Array(&Ty::Array(&Ty::Product(&[field(Ty::Bool), field(Ty::I128)])));
    const NOTES: Ty<'_> = Ty::Array(&Ty::Product(&[field(Ty::U32), field(Ty::String)]));
    const PAIR: Ty<'_> = Ty::Product(&[
        field(Ty::U8),
        field(Ty::I16),
        field(Ty::Product(&[field(Ty::F64), field(Ty::String)])),
    ]);
    const UNITS: Ty<'_> = Ty::Array(&UNIT);
    let Some((which, data)) = data.split_first() else { return };
    match which % 8 {
        0 => value::<(u32, u64, i32, &str)>(MIXED, data),
        1 => value::<Option<Result<f32, &[u8]>>>(OPTION, data),
        2 => value::<Array<'_, Array<'_, (bool, i128)>>>(NESTED, data),
        3 => value::<Array<'_, (u32, &str)>>(NOTES, data),
        4 => value::<Array<'_, ()>>(UNITS, data),
        5 => value::<(u8, i16, (f64, &str))>(PAIR, data),
        _ => {
            // A type, as a value; and one of its own that contains itself.
            let _ = walk(Ty::META_TYPES, Ty::Ref(0), data);
            const LIST: Ty<'_> = Ty::Array(&Ty::Ref(0));
            let _ = walk(&[LIST], Ty::Ref(0), data);
        }
    }
}

/// How many bytes a walk goes over.
fn walk(
    types: &[AlgebraicType<'_>],
    ty: AlgebraicType<'_>,
    data: &[u8],
) -> Result<usize, DecodeError> {
    let walker = Walker::new(types, ty, Reader::new(data));
    let mut walker: Walker<'_, '_> = walker;
    let mut tokens = 0usize;
    for token in &mut walker {
        let token = token?;
        assert!(token.at <= data.len());
        tokens += 1;
    }
    // Elements without bytes are limited in number.
    assert!(tokens <= 8 * (data.len() + 1) * 4096, "{tokens} tokens");
    Ok(data.len() - walker.into_reader().remaining())
}

fn value<'a, T: Decode<'a> + Encode>(ty: AlgebraicType<'_>, data: &'a [u8]) {
    let walked = walk(&[], ty, data);
    match T::take_from(data) {
        Ok((value, rest)) => {
            let taken = data.len() - rest.len();
            assert_eq!(walked, Ok(taken), "a walk goes as far");
            let mut out = vec![0xa5; value.encoded_len()];
            assert_eq!(value.encode_to_slice(&mut out), Ok(out.len()));
            assert!(out == data[..taken], "written again it is the same");
            assert_eq!(T::from_slice(data).is_ok(), rest.is_empty());
        }
        Err(error) => {
            assert!(walked.is_err(), "only the walk takes it: {error}");
            assert!(error.at <= data.len());
        }
    }
}

/// A row list, whole and in pieces.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn row_list(data: &[u8]) {
    let mut numbers = Numbers::of(data);
    let whole = RowList::from_slice(data);
    if let Ok(list) = whole {
        let mut out = vec![0xa5; list.encoded_len()];
        assert_eq!(list.encode_to_slice(&mut out), Ok(out.len()));
        assert_eq!(RowList::from_slice(&out), Ok(list), "written again it is the same");
        if list.len() <= 4 * data.len() {
            assert_eq!(list.rows().count(), list.len());
            let bytes: usize = list.rows().map(<[u8]>::len).sum();
            assert_eq!(bytes, list.data().len());
            for tail in [Tail::Strict, Tail::AllowTail] {
                assert_eq!(list.typed::<(u32, &str)>(tail).count(), list.len());
            }
        }
        assert_eq!(list.get(list.len()), None);
    }
    let mut room = vec![0; data.len() / 8 + 1];
    let pieces = [vec![data], data.chunks(1).collect(), numbers.cut(data, 20)];
    for pieces in pieces {
        let streamed = rows(&pieces, &mut room);
        match (&whole, streamed) {
            (Ok(list), Ok((count, bytes))) => {
                assert_eq!((list.len(), list.data()), (count, &bytes[..]));
            }
            (Ok(_), Err(error)) => {
                assert!(matches!(error.kind, StreamErrorKind::NeedsBuffer { .. }), "{error}");
            }
            (Err(error), Ok(_)) => panic!("accepted, not {error}"),
            (Err(_), Err(_)) => {}
        }
    }
}

fn rows(pieces: &[&[u8]], room: &mut [u32]) -> Result<(usize, Vec<u8>), StreamError> {
    let mut stream = RowListStream::<64>::new();
    stream.lend(room);
    let (mut count, mut bytes, mut lists) = (0, Vec::new(), 0);
    for mut piece in pieces.iter().copied() {
        while let Some(event) = stream.next(&mut piece)? {
            match event {
                RowsEvent::Begin { .. } => lists += 1,
                RowsEvent::Rows(rows) => {
                    assert!(!rows.is_empty());
                    count += rows.len();
                    bytes.extend(rows.data());
                }
                _ => {}
            }
        }
        assert!(piece.is_empty(), "bytes were left");
    }
    stream.finish()?;
    if lists != 1 {
        // A stream may have several lists, or none; the whole is one.
        let error = DecodeError::new(0, DecodeErrorKind::TrailingBytes { extra: 0 });
        return Err(error.into());
    }
    Ok((count, bytes))
}

/// The body of a server's message. The first byte says of which version.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn message(data: &[u8]) {
    let Some((which, body)) = data.split_first() else { return };
    let version = [Version::V1, Version::V2, Version::V3][usize::from(which % 3)];
    let mut numbers = Numbers::of(data);
    let expected = whole(version, body);
    if let Ok(whole) = &expected
        && whole.compressed
    {
        compressed(body);
        assert!(streamed(version, &[body], &mut []).is_err());
        return;
    }
    let offsets = expected.as_ref().map_or(4096, |whole| whole.offsets);
    let mut room = vec![0; offsets];
    let first = streamed(version, &[body], &mut room);
    for pieces in [body.chunks(1).collect(), numbers.cut(body, 20)] {
        let cut = streamed(version, &pieces, &mut room);
        match (&cut, &first) {
            (Err(cut), Err(first)) => {
                let kinds =
                    (core::mem::discriminant(&cut.kind), core::mem::discriminant(&first.kind));
                let limit = |kind| matches!(kind, StreamErrorKind::NeedsBuffer { .. });
                let ends = |kind| {
                    matches!(kind, StreamErrorKind::Decode(DecodeErrorKind::EndOfInput { .. }))
                };
                // What does not fit the buffer is no matter where it lies whole in a piece; and a
                // character that is cut is waited for, whatever its second byte is.
                if ![cut.kind, first.kind].into_iter().any(|kind| limit(kind) || ends(kind)) {
                    assert_eq!((cut.at, kinds.0), (first.at, kinds.1), "{cut:?} {first:?}");
                }
            }
            (Err(StreamError { kind: StreamErrorKind::NeedsBuffer { .. }, .. }), Ok(_)) => {}
            _ => assert_eq!(cut, first),
        }
    }
    match (&expected, &first) {
        (Ok(whole), Ok(said)) => assert!(whole.said == *said, "{:?} {said:?}", whole.said),
        (Ok(_), Err(error)) => {
            assert!(matches!(error.kind, StreamErrorKind::NeedsBuffer { .. }), "{error}");
        }
        (Err(error), Ok(_)) => panic!("accepted, not {error}"),
        (Err(_), Err(_)) => {}
    }
}

/// What the view of the whole body says.
fn whole(version: Version, body: &[u8]) -> Result<Whole, DecodeError> {
    let mut whole = Whole::default();
    match version {
        Version::V1 => whole.v1(&v1::ServerMessage::from_slice(body)?),
        Version::V2 => whole.v2(&v2::ServerMessage::from_slice(body)?),
        _ => {
            for message in v3::ServerMessages::new(body)? {
                whole.v2(&message?);
            }
        }
    }
    Ok(whole)
}

/// Updates that are compressed by themselves.
fn compressed(body: &[u8]) {
    use v1::ServerMessage as M;
    let Ok(message) = v1::ServerMessage::from_slice(body) else { return };
    let tables = match message {
        M::InitialSubscription { tables, .. }
        | M::TransactionUpdateLight { tables, .. }
        | M::SubscribeMultiApplied { tables, .. }
        | M::UnsubscribeMultiApplied { tables, .. } => tables,
        _ => return,
    };
    let mut out = vec![0; 1 << 16];
    for update in tables.into_iter().flat_map(|table| table.updates).take(8) {
        let _ = update.decompress(&mut out);
    }
}

/// What a stream says of a body that comes in `pieces`.
fn streamed(
    version: Version,
    pieces: &[&[u8]],
    room: &mut [u32],
) -> Result<Vec<Said>, StreamError> {
    let mut stream = MessageStream::<512>::new(version);
    stream.lend(room);
    let mut said = Vec::new();
    for mut piece in pieces.iter().copied() {
        while let Some(event) = stream.next(&mut piece)? {
            match event {
                Event::Text { of, piece, .. } => match said.last_mut() {
                    Some(Said::Text(last, text)) if *last == of => text.push_str(piece),
                    _ => said.push(Said::Text(of, piece.to_owned())),
                },
                Event::Bytes { of, piece, .. } => match said.last_mut() {
                    Some(Said::Bytes(last, bytes)) if *last == of => bytes.extend(piece),
                    _ => said.push(Said::Bytes(of, piece.to_vec())),
                },
                Event::Rows(rows) => {
                    assert!(!rows.is_empty());
                    match said.last_mut() {
                        Some(Said::Rows(count, bytes)) => {
                            *count += rows.len();
                            bytes.extend(rows.data());
                        }
                        _ => said.push(Said::Rows(rows.len(), rows.data().to_vec())),
                    }
                }
                event => said.push(Said::Event(format!("{event:?}"))),
            }
        }
        assert!(piece.is_empty(), "bytes were left");
    }
    stream.finish()?;
    Ok(said)
}
