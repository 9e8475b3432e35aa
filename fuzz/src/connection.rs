//! What a server of SpacetimeDB sends over its WebSocket, and tables of what it says.

use std::collections::BTreeMap;

use onewrite::bsatn::StreamErrorKind;
use onewrite::compression::{DEFAULT_WORDS, Tables as CodeTables};
use onewrite::error::DecodeErrorKind;
use onewrite::spacetimedb::Payload;
use onewrite::spacetimedb::connection::{
    Connection, ConnectionError, ConnectionErrorKind, Incoming,
};
use onewrite::spacetimedb::multi_dictionary::{
    Applied, ApplyError, Delta, Mode, MultiDictionary, Visitor,
};
use onewrite::spacetimedb::stream::{Change, Event, Summary, Version};
use onewrite::websocket::Limits;

use crate::Numbers;
use crate::spacetimedb::say;
use crate::whole::Said;

/// Longest compressed payload, and what one may inflate to.
const ROOM: usize = 1 << 14;

/// Frames. The first byte says how:
///
/// | bit | set |
/// |---|---|
/// | 0, 1 | version 2, or 3 |
/// | 2 | the rest is a payload, and not frames |
/// | 3 | tables take what does not fit them |
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn connection(data: &[u8]) {
    let Some((how, rest)) = data.split_first() else { return };
    let version = [Version::V1, Version::V2, Version::V3, Version::V2][usize::from(how & 3)];
    let bytes = if how & 4 == 0 { rest.to_vec() } else { frames(rest, 200) };
    let mode = if how & 8 == 0 { Mode::Strict } else { Mode::Lenient };
    if how & 4 != 0 {
        payload(rest);
    }
    let mut numbers = Numbers::of(data);
    let whole = listen(version, mode, &[&bytes], ROOM);
    let pieces = numbers.cut(&bytes, 40);
    let cut = listen(version, mode, &pieces, 16 + numbers.below(100));
    match (&whole, &cut) {
        // What a gzip member says of its length may be wrong, and more room than there is.
        (_, Err(ConnectionError { kind: ConnectionErrorKind::NeedsBodyRoom { .. }, .. })) => {}
        (Err(whole), Err(cut)) => {
            // What does not fit the buffer is no matter where it lies whole in a piece; texts that end
            // early differ as those of `message` do.
            assert_eq!(whole.payload, cut.payload, "{whole} {cut}");
            let of_message =
                |error: &ConnectionError| matches!(error.kind, ConnectionErrorKind::Message(_));
            if !of_message(whole) || !of_message(cut) {
                assert_eq!(whole, cut);
            }
        }
        (Ok(_), Err(cut)) => {
            let ConnectionErrorKind::Message(error) = cut.kind else { panic!("{cut}") };
            let limit = StreamErrorKind::NeedsBuffer { at_least: 0 };
            let same = core::mem::discriminant(&error.kind) == core::mem::discriminant(&limit);
            assert!(same, "{cut}");
        }
        // A character that is cut is waited for, in a text that ends too early to be anything.
        (Err(whole), Ok(_)) if is_text(whole) => {}
        _ => assert!(whole == cut, "{whole:?} {cut:?}"),
    }
}

fn is_text(error: &ConnectionError) -> bool {
    let ConnectionErrorKind::Message(error) = error.kind else { return false };
    error.kind == StreamErrorKind::Decode(DecodeErrorKind::InvalidUtf8)
}

/// A payload by itself: what it says of its length is true.
fn payload(bytes: &[u8]) {
    let Ok(payload) = Payload::new(bytes) else { return };
    let mut out = vec![0; ROOM];
    let Ok(body) = payload.decompress(&mut out) else { return };
    assert!(payload.decompressed_len().is_none_or(|len| len == body.len()));
    let (mut tables, mut same) = (CodeTables::<DEFAULT_WORDS>::new(), vec![0; body.len()]);
    assert_eq!(payload.decompress_with(&mut tables, &mut same), Ok(body), "as much as it takes");
}

/// Frames of a server's around a payload, each of up to `len` bytes.
pub(crate) fn frames(payload: &[u8], len: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let count = payload.chunks(len).count().max(1);
    for number in 0..count {
        let piece = payload.chunks(len).nth(number).unwrap_or_default();
        let first = if number == 0 { 2 } else { 0 };
        bytes.push(first | if number + 1 == count { 0x80 } else { 0 });
        match piece.len() {
            len @ 0..=125 => bytes.push(len as u8),
            len => {
                bytes.push(126);
                bytes.extend((len as u16).to_be_bytes());
            }
        }
        bytes.extend(piece);
    }
    bytes
}

/// What was heard, and what it made of the tables.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    said: Vec<Said>,
    answers: Vec<String>,
    payloads: u64,
    controls: Vec<String>,
    applied: Vec<Result<(usize, usize, usize), ApplyError>>,
    /// Whether a payload ended last.
    between: bool,
    /// Rows with how often they are there.
    rows: Vec<(u64, Vec<u8>, u32)>,
}

/// Rows by their first byte.
struct Tables {
    rows: MultiDictionary<u64, Vec<u8>, 16>,
    delta: Delta<u64, Vec<u8>, 16>,
    change: Option<Change>,
    fits: bool,
    mirror: Mirror,
}

/// The rows, by what is told of their changes.
#[derive(Default)]
struct Mirror {
    rows: BTreeMap<u64, Vec<u8>>,
    /// Rows that are going to be deleted.
    going: Vec<u64>,
}

impl Visitor<u64, Vec<u8>> for Mirror {
    fn on_before_delete(&mut self, key: &u64, _: &Vec<u8>) {
        assert!(self.rows.contains_key(key), "it is still there");
        self.going.push(*key);
    }

    fn on_insert(&mut self, key: &u64, row: &Vec<u8>) {
        assert!(self.rows.insert(*key, row.clone()).is_none(), "it is new");
    }

    fn on_update(&mut self, key: &u64, old: &Vec<u8>, new: &Vec<u8>) {
        // Without `Mode::Strict` the old row is the delta's, which may be another one.
        let _ = old;
        assert!(self.rows.insert(*key, new.clone()).is_some(), "it was there");
    }

    fn on_delete(&mut self, key: &u64, _: &Vec<u8>) {
        assert!(self.rows.remove(key).is_some(), "it was there");
        self.going.retain(|going| going != key);
    }
}

impl Tables {
    fn new() -> Self {
        let (rows, delta) = (MultiDictionary::new(), Delta::new());
        Self { rows, delta, change: None, fits: true, mirror: Mirror::default() }
    }

    fn note(&mut self, event: &Event<'_>) {
        match event {
            Event::BeginRows { of, .. } => self.change = Some(*of),
            Event::Rows(rows) => {
                for row in rows.rows() {
                    let key = u64::from(row.first().copied().unwrap_or_default());
                    let row = row.get(..12).unwrap_or(row).to_vec();
                    let len = self.delta.len();
                    let noted = match self.change {
                        Some(Change::Deletes) => self.delta.remove(key, row),
                        _ => self.delta.add(key, row),
                    };
                    if noted.is_ok() && self.delta.len() != len {
                        assert_eq!(self.delta.key(len), Some(&key));
                    }
                    self.fits &= noted.is_ok();
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, mode: Mode) -> Option<Result<(usize, usize, usize), ApplyError>> {
        let fits = core::mem::replace(&mut self.fits, true);
        let before: Vec<_> = self.look();
        let applied = fits.then(|| self.apply(mode));
        if !matches!(applied, Some(Ok(_))) {
            assert_eq!(self.look(), before, "nothing is done by halves");
        }
        self.delta.clear();
        let applied = applied?;
        Some(applied.map(|applied| (applied.inserted, applied.updated, applied.deleted)))
    }

    /// All steps at once or one by one, which is the same.
    fn apply(&mut self, mode: Mode) -> Result<Applied, ApplyError> {
        let Self { rows, delta, mirror, .. } = self;
        let keys = rows.len();
        let applied = if keys % 2 == 0 {
            rows.apply(delta, mode, mirror)?
        } else {
            let prepared = rows.prepare(delta, mode)?;
            let applied = prepared.applied();
            prepared.before_delete(mirror);
            assert!(prepared.dictionary().len() == keys && mirror.going.len() == applied.deleted);
            let committed = prepared.commit();
            committed.notify(mirror);
            assert_eq!(committed.applied(), applied);
            applied
        };
        assert!(delta.is_empty() && mirror.going.is_empty());
        assert_eq!(rows.len(), keys + applied.inserted - applied.deleted);
        assert!(mode == Mode::Lenient || applied.pseudo_throws == 0);
        Ok(applied)
    }

    fn look(&self) -> Vec<(u64, Vec<u8>, u32)> {
        let mut rows: Vec<_> =
            self.rows.iter().map(|(key, row, count)| (*key, row.clone(), count)).collect();
        rows.sort();
        assert!(rows.len() == self.rows.len() && rows.is_empty() == self.rows.is_empty());
        let told: Vec<_> = self.mirror.rows.iter().collect();
        assert!(rows.iter().map(|(key, row, _)| (key, row)).eq(told), "what was told of");
        rows
    }

    /// As where the connection was lost: what there is goes, and what comes again stays.
    fn come_again(&mut self) {
        // Of a message that has no end yet.
        self.delta.clear();
        let rows = self.look();
        for (key, row, count) in &rows {
            assert_eq!(self.rows.get(key), Some((row, *count)));
        }
        assert_eq!(self.rows.get(&256), None);
        if rows.iter().any(|(.., count)| *count > 1000) {
            return;
        }
        self.delta.remove_all(&self.rows).expect("as many keys as the table");
        for (key, row, count) in &rows {
            (0..*count).for_each(|_| self.delta.add(*key, row.clone()).expect("its key is there"));
        }
        assert_eq!(self.apply(Mode::Strict), Ok(Applied::default()));
        assert_eq!(self.look(), rows);
        // All of them change, and go; nobody is told.
        self.delta.remove_all(&self.rows).expect("as many keys as the table");
        for (key, row, _) in &rows {
            let other = [row, &b"!"[..]].concat();
            self.delta.add(*key, other).expect("its key is there");
        }
        let Self { rows: table, delta, .. } = self;
        let (deleted, updated) = (rows.len(), rows.len());
        let applied = table.apply(delta, Mode::Strict, &mut ());
        assert_eq!(applied, Ok(Applied { updated, ..Applied::default() }));
        delta.remove_all(table).expect("as many keys as the table");
        let applied = table.apply(delta, Mode::Strict, &mut ());
        assert_eq!(applied, Ok(Applied { deleted, ..Applied::default() }));
        assert!(table.is_empty());
        for (key, row, _) in &rows {
            delta.add(*key, row.clone()).expect("room for it");
        }
        let applied = table.apply(delta, Mode::Strict, &mut ());
        assert_eq!(applied, Ok(Applied { inserted: rows.len(), ..Applied::default() }));
        self.rows.clear();
        self.mirror.rows.clear();
        assert!(self.look().is_empty());
    }
}

/// Reads `pieces`, with rooms that begin at `first_room` bytes and double when they are too short.
fn listen(
    version: Version,
    mode: Mode,
    pieces: &[&[u8]],
    first_room: usize,
) -> Result<Heard, ConnectionError> {
    let mut offsets = [0; 128];
    let rooms = || {
        let sizes = (0..12).map(|power| (first_room << power).min(ROOM));
        let sizes = sizes.scan(0, |last, size| (size > *last).then(|| *last = size).map(|()| size));
        sizes.map(|size| vec![0; size]).collect::<Vec<Vec<u8>>>()
    };
    let (mut payloads, mut bodies) = (rooms(), rooms());
    let (mut payloads, mut bodies) = (payloads.iter_mut(), bodies.iter_mut());
    let mut connection = Connection::<512>::new(version, Limits { frame: 4096, message: 9000 });
    connection.stream().lend(&mut offsets);
    let mut tables = Tables::new();
    let (mut heard, mut summary) = (Heard::default(), Summary::default());
    let mut len = 0;
    for piece in pieces {
        len += piece.len() as u64;
        let mut piece = piece.to_vec();
        let mut feed = connection.feed(&mut piece);
        loop {
            match feed.next() {
                Ok(Some(Incoming::Part(event))) => {
                    summary.note(&event);
                    tables.note(&event);
                    if event == Event::End {
                        let own = summary.connection_id();
                        let ended = (summary.answers(own), summary.outcome());
                        heard.answers.push(format!("{ended:?}"));
                        heard.applied.extend(tables.end(mode));
                    }
                    say(&mut heard.said, event);
                }
                Ok(Some(Incoming::EndOfPayload)) => heard.payloads += 1,
                Ok(Some(other)) => heard.controls.push(format!("{other:?}")),
                Ok(None) => break,
                Err(error) => {
                    let lent = match error.kind {
                        ConnectionErrorKind::NeedsPayloadRoom { at_least } => {
                            let room = payloads.find(|room| room.len() >= at_least);
                            room.map(|room| feed.connection().lend_payload(room).is_ok())
                        }
                        ConnectionErrorKind::NeedsBodyRoom { at_least } => {
                            let room = bodies.find(|room| room.len() >= at_least);
                            room.map(|room| feed.connection().lend_body(room).is_ok())
                        }
                        // More rows than there is room for offsets.
                        _ if error.is_resumable() => return Err(error),
                        _ => {
                            assert_eq!(feed.next().err(), Some(error), "it stays");
                            let _ = error.close_code();
                            return Err(error);
                        }
                    };
                    assert!(error.is_resumable() && lent != Some(false), "{error}");
                    if lent.is_none() {
                        return Err(ConnectionError {
                            payload: error.payload,
                            kind: ConnectionErrorKind::NeedsBodyRoom { at_least: ROOM },
                        });
                    }
                }
            }
        }
        assert!(connection.is_closed() || connection.position() == len);
    }
    assert_eq!(connection.payloads(), heard.payloads);
    heard.between = connection.is_between();
    heard.rows = tables.look();
    tables.come_again();
    Ok(heard)
}
