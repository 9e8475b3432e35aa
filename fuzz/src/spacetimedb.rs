//! BSATN, row lists, and messages of SpacetimeDB's servers: whole, in pieces, and written again.

use std::marker::PhantomData;

use onewrite::bsatn::{
    AlgebraicType, Array, DEPTH_LIMIT, Decode, Element, Elements, Encode, I256, RowList,
    RowListStream, RowsEvent, ScheduleAt, StreamError, StreamErrorKind, Tail, U256, Walker,
};
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::reader::Reader;
use onewrite::spacetimedb::stream::{Event, MessageStream, Version};
use onewrite::spacetimedb::{List, v1, v2, v3};

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
    const WIDE: Ty<'_> = Ty::Product(&[
        field(Ty::I8),
        field(Ty::U16),
        field(Ty::I64),
        field(Ty::U128),
        field(Ty::U256),
        field(Ty::I256),
    ]);
    const SCHEDULES: Ty<'_> = Ty::Array(&Ty::Sum(&[
        field(Ty::Product(&[field(Ty::I64)])),
        field(Ty::Product(&[field(Ty::I64)])),
    ]));
    const TEXTS: Ty<'_> = Ty::Array(&Ty::Array(&Ty::Sum(&[field(Ty::String), field(UNIT)])));
    match which % 12 {
        8 => value::<(i8, u16, i64, u128, U256, I256)>(WIDE, data),
        9 => value::<Array<'_, ScheduleAt>>(SCHEDULES, data),
        10 => {
            elements(data);
            value::<Array<'_, Array<'_, Option<&str>>>>(TEXTS, data);
        }
        11 => fixed(data),
        0 => value::<(u32, u64, i32, &str)>(MIXED, data),
        1 => value::<Option<Result<f32, &[u8]>>>(OPTION, data),
        2 => value::<Array<'_, Array<'_, (bool, i128)>>>(NESTED, data),
        3 => value::<Array<'_, (u32, &str)>>(NOTES, data),
        4 => value::<Array<'_, ()>>(UNITS, data),
        5 => value::<(u8, i16, (f64, &str))>(PAIR, data),
        _ => {
            // A type, as a value; one of its own that contains itself; and one that is not there.
            let _ = walk(Ty::META_TYPES, Ty::Ref(0), data);
            assert!(walk(&[], Ty::Ref(0), data).is_err());
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
    let walker: Walker<'_, '_> = Walker::new(types, ty, Reader::new(data));
    let skipped = walker.clone().skip();
    let shallow = Walker::<'_, '_, 3>::with_depth(types, ty, Reader::new(data)).skip();
    let mut walker = walker;
    let mut tokens = 0usize;
    while let Some(token) = walker.next() {
        let token = match token {
            Ok(token) => token,
            Err(error) => {
                assert_eq!(skipped.err(), Some(error), "to skip it is to walk over it");
                assert!(walker.next().is_none() && shallow.is_err());
                return Err(error);
            }
        };
        assert!(token.at <= data.len() && walker.depth() <= DEPTH_LIMIT);
        tokens += 1;
    }
    let left = skipped.expect("it was walked over").remaining();
    assert_eq!(left, walker.clone().into_reader().remaining());
    if let Ok(shallow) = shallow {
        assert_eq!(shallow.remaining(), left);
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

/// An array is read one element at a time as it is as a whole, and from either end.
fn elements(data: &[u8]) {
    let whole = Array::<'_, Option<&str>>::take_from(data);
    let Ok(mut elements) = Elements::<'_, Option<&str>>::new(Reader::new(data)) else {
        assert!(whole.is_err());
        return;
    };
    let one_by_one: Result<Vec<_>, _> = elements.by_ref().collect();
    match (whole, one_by_one) {
        (Ok((array, rest)), Ok(found)) => {
            assert_eq!(elements.into_reader().rest(), rest);
            assert!(array.iter().eq(found.iter().copied()));
            assert_eq!((array.len(), array.is_empty()), (found.len(), found.is_empty()));
            assert_eq!(array.get(0), found.first().copied());
            assert_eq!(array.as_bytes().len(), data.len() - rest.len() - 4);
            let iter = array.iter();
            assert_eq!((iter.size_hint().0, iter.clone().count()), (found.len(), found.len()));
            let (same, count) = (Clone::clone(&array), array.into_iter().count());
            assert!(same == array && count == found.len());
            let alone = (PhantomData::<u8>, array);
            let mut out = vec![0xa5; alone.encoded_len()];
            assert_eq!(alone.encode_to_slice(&mut out), Ok(out.len()));
            assert_eq!(<(PhantomData<u8>, Array<'_, Option<&str>>)>::from_slice(&out), Ok(alone));
            assert_eq!(array.get(found.len()), None);
            assert_eq!(array.iter().nth(1), found.get(1).copied());
            assert_eq!(array.iter().last(), found.last().copied());
        }
        (Err(error), Err(other)) => assert_eq!(error, other),
        (whole, found) => panic!("{whole:?} {found:?}"),
    }
}

/// Arrays whose number of elements their type has.
fn fixed(data: &[u8]) {
    let some = <[u16; 3]>::take_from(data);
    match (some, Array::<'_, u16>::take_from(data)) {
        (Ok((three, rest)), Ok((array, same))) => {
            assert!(array.iter().eq(three) && rest == same);
            let mut out = [0xa5; 10];
            assert_eq!(three.encode_to_slice(&mut out), Ok(10));
            assert_eq!(&out, &data[..10]);
        }
        (Err(_), Ok((array, _))) => assert_ne!(array.len(), 3),
        (Err(_), Err(_)) => {}
        (Ok(_), Err(error)) => panic!("{error}"),
    }
    let _ = <[(); 2]>::take_from(data);
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
            let rows: Vec<_> = list.rows().collect();
            assert!(list.rows().rev().eq(rows.iter().rev().copied()));
            assert_eq!(list.rows().nth(1), rows.get(1).copied());
            assert_eq!(list.rows().next_back(), rows.last().copied());
            for tail in [Tail::Strict, Tail::AllowTail] {
                let typed: Vec<_> = list.typed::<Row<'_>>(tail).collect();
                assert_eq!(typed.len(), list.len());
                for (row, value) in rows.iter().zip(&typed) {
                    let alone = match tail {
                        Tail::Strict => Row::from_slice(row).ok(),
                        _ => Row::take_from(row).ok().map(|(value, _)| value),
                    };
                    assert_eq!(value.ok(), alone);
                }
                assert_eq!(list.typed::<Row<'_>>(tail).nth(1), typed.get(1).copied());
            }
        }
        let len = list.len();
        assert_eq!((list.get(len), list.is_empty()), (None, len == 0));
    }
    cut_by_type(data, whole, &mut numbers);
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

/// The type of the rows that are cut by it.
type Row<'a> = (u32, &'a str);

/// Without room for offsets: by the type of the rows, or none of them.
fn cut_by_type(data: &[u8], whole: Result<RowList<'_>, DecodeError>, numbers: &mut Numbers) {
    let pieces = numbers.cut(data, 20);
    for pieces in [&pieces[..], &[data]] {
        let cut = rows_as(pieces, &mut [], |stream| {
            stream.cut_by(|row| Row::decode(row).map(drop));
        });
        let skipped = rows_as(pieces, &mut [], |stream| stream.skip());
        match whole {
            Ok(list) => {
                assert_eq!(skipped, Ok((0, Vec::new())), "none of the rows");
                let fits = list.typed::<Row<'_>>(Tail::Strict).all(|row| row.is_ok());
                match cut {
                    Ok(found) => assert_eq!(found, (list.len(), list.data().to_vec())),
                    Err(error) => {
                        let limit = matches!(error.kind, StreamErrorKind::NeedsBuffer { .. });
                        assert!(limit || !fits, "{error}");
                    }
                }
            }
            Err(error) => {
                assert!(cut.is_err(), "accepted, not {error}");
                assert!(skipped.is_err(), "skipped, not {error}");
            }
        }
    }
}

fn rows(pieces: &[&[u8]], room: &mut [u32]) -> Result<(usize, Vec<u8>), StreamError> {
    rows_as(pieces, room, |_| {})
}

/// What a stream says of one list; `begun` is told where it begins.
fn rows_as<'r>(
    pieces: &[&[u8]],
    room: &'r mut [u32],
    begun: impl Fn(&mut RowListStream<'r, 64>),
) -> Result<(usize, Vec<u8>), StreamError> {
    let mut stream = RowListStream::<64>::new();
    stream.reset();
    stream.lend(room);
    let (mut count, mut bytes, mut lists, mut asked, mut len) = (0, Vec::new(), 0, false, 0);
    for mut piece in pieces.iter().copied() {
        len += piece.len();
        loop {
            let event = match stream.next(&mut piece) {
                Ok(Some(event)) => event,
                Ok(None) => break,
                Err(error) => {
                    let needs = matches!(error.kind, StreamErrorKind::NeedsOffsets { .. });
                    if needs && !asked {
                        // Nothing is lost: none of the rows are wanted.
                        asked = true;
                        begun(&mut stream);
                        continue;
                    }
                    assert_eq!(stream.next(&mut piece).err(), Some(error), "it stays");
                    return Err(error);
                }
            };
            let mut begins = false;
            match event {
                RowsEvent::Begin { .. } => (lists, begins) = (lists + 1, true),
                RowsEvent::Rows(rows) => {
                    assert!(!rows.is_empty());
                    count += rows.len();
                    bytes.extend(rows.data());
                }
                _ => {}
            }
            if begins {
                begun(&mut stream);
            }
        }
        assert!(piece.is_empty(), "bytes were left");
        assert!(stream.position() <= len);
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
    let skipped = streamed_as(version, &[body], &mut [], Wanted::NoTable);
    let by_list = streamed_as(version, &numbers.cut(body, 40), &mut [], Wanted::NoList);
    if let Ok(first) = &first {
        let without: Vec<_> =
            first.iter().filter(|said| !matches!(said, Said::Rows(..))).cloned().collect();
        assert_eq!(skipped.as_ref(), Ok(&without), "without rows");
        assert_eq!(by_list.as_ref(), Ok(&without), "without rows");
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
        Version::V1 => {
            let message = v1::ServerMessage::from_slice(body)?;
            let _ = message.answers();
            if let v1::ServerMessage::TransactionUpdateLight { tables, .. } = message {
                list(&tables);
            }
            whole.v1(&message);
        }
        Version::V2 => whole.v2(&v2::ServerMessage::from_slice(body)?),
        _ => {
            for message in v3::ServerMessages::new(body)? {
                let message = message?;
                let _ = message.answers();
                whole.v2(&message);
            }
        }
    }
    Ok(whole)
}

/// Every way to look at a list says the same.
fn list<'a, T: Decode<'a> + PartialEq + core::fmt::Debug>(list: &List<'a, T>) {
    let count = list.iter().count();
    assert_eq!((list.len(), list.is_empty()), (count, count == 0));
    assert_eq!(list.iter().size_hint(), (count, Some(count)));
    assert!(Clone::clone(list) == *list && list.as_bytes().len() >= count);
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

/// Which rows are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wanted {
    All,
    /// None, said where a list begins.
    NoList,
    /// None, said where a table begins.
    NoTable,
}

/// What a stream says of a body that comes in `pieces`.
fn streamed(
    version: Version,
    pieces: &[&[u8]],
    room: &mut [u32],
) -> Result<Vec<Said>, StreamError> {
    streamed_as(version, pieces, room, Wanted::All)
}

fn streamed_as(
    version: Version,
    pieces: &[&[u8]],
    room: &mut [u32],
    wanted: Wanted,
) -> Result<Vec<Said>, StreamError> {
    let mut stream = MessageStream::<512>::new(version);
    stream.lend(room);
    let (mut said, mut len) = (Vec::new(), 0);
    for mut piece in pieces.iter().copied() {
        len += piece.len();
        while let Some(event) = stream.next(&mut piece)? {
            let table = wanted == Wanted::NoTable && matches!(event, Event::Table(_));
            let list = wanted == Wanted::NoList && matches!(event, Event::BeginRows { .. });
            say(&mut said, event);
            match (table, list) {
                (true, _) => stream.skip_table(),
                (_, true) => stream.skip(),
                _ => {}
            }
        }
        assert!(piece.is_empty(), "bytes were left");
        assert!(stream.position() <= len);
    }
    stream.finish()?;
    Ok(said)
}

/// Adds an event; pieces that follow on each other are one.
pub(crate) fn say(said: &mut Vec<Said>, event: Event<'_>) {
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
