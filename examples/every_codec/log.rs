//! What a firmware would log.

use core::hint::black_box;

use onewrite::bsatn::{
    ConnectionId, I256, Identity, RowList, RowsEvent, ScheduleAt, StreamError, StreamErrorKind,
    Tail, TimeDuration, Timestamp, U256, Uuid,
};
use onewrite::compression::{DecompressError, DecompressErrorKind};
use onewrite::error::{
    DecodeError, DecodeErrorKind, ReadError, ReadErrorKind, WriteError, WriteErrorKind,
};
use onewrite::http;
use onewrite::http::serve;
use onewrite::literal::HoleError;
use onewrite::page;
use onewrite::reader::Reader;
use onewrite::record::{Endian, Scratch};
use onewrite::render_batch::{
    Batch, BatchError, BatchView, Diff, DiffView, Edit, EditRecord, EditType, EditView, Frame,
    FrameRecord, FrameType, FrameView, Name, Options, Place, TreeError, Value,
};
use onewrite::sink::{CountingSink, SliceSink};
use onewrite::source::SliceSource;
use onewrite::spacetimedb::connection::{ConnectionError, ConnectionErrorKind};
use onewrite::spacetimedb::multi_dictionary::{
    Applied, ApplyError, DeltaError, Inconsistency, Mode,
};
use onewrite::spacetimedb::stream::{
    Bytes, Change, Effect, Event, MessageKind, Outcome, Summary, Text, Version,
};
use onewrite::spacetimedb::v1::QueryUpdateError;
use onewrite::spacetimedb::{Address, Compression, MessageError, NoRoom, TooManyRequests};
use onewrite::string_table::Interned;
use onewrite::websocket;

#[inline(never)]
pub(crate) fn call() {
    let kind = DecodeErrorKind::InvalidUtf8;
    log::<U256>(U256::from(7));
    log::<I256>(I256::from(7));
    log::<Identity>(Identity::default());
    log::<ConnectionId>(ConnectionId::default());
    log::<Uuid>(Uuid::default());
    log::<Timestamp>(Timestamp::default());
    log::<TimeDuration>(TimeDuration::default());
    log::<ScheduleAt>(ScheduleAt::Time(Timestamp::default()));
    log::<Tail>(Tail::Strict);
    #[cfg(feature = "serde")]
    log::<onewrite::bsatn::serde::ValueError>(onewrite::bsatn::serde::ValueError::Char);
    log::<DecodeErrorKind>(kind);
    log::<DecodeError>(DecodeError::new(7, kind));
    log::<ReadErrorKind<u8>>(ReadErrorKind::Source(7));
    log::<ReadError<u8>>(ReadError::new(7, ReadErrorKind::Poisoned));
    log::<WriteErrorKind<u8, u8>>(WriteErrorKind::Encode(7));
    log::<WriteError<u8, u8>>(WriteError::new(7, WriteErrorKind::Stalled));
    log::<HoleError>(HoleError { hole: "len", width: 3 });
    log::<Endian>(Endian::Big);
    log::<Scratch<4>>(Scratch::new());
    log::<Reader<'_>>(Reader::new(b"input"));
    log::<CountingSink>(CountingSink::new());
    log::<SliceSink<'_>>(SliceSink::new(&mut [0; 4]));
    log::<SliceSource<'_>>(SliceSource::new(b"input"));
    log::<MessageError>(MessageError::TooLarge { len: 7 });
    log::<Address<'_>>(Address::of("name"));
    log::<Compression>(Compression::Gzip);
    log::<NoRoom>(NoRoom { needed: 7, available: 3 });
    log::<TooManyRequests>(TooManyRequests { limit: 7 });
    log::<ConnectionError>(ConnectionError { payload: 7, kind: ConnectionErrorKind::Empty });
    log::<ConnectionErrorKind>(ConnectionErrorKind::Text);
    log::<Summary>(Summary::new());
    log::<Effect>(Effect::Added);
    let inflated = DecompressError::new(7, DecompressErrorKind::EndOfInput);
    log::<DecompressErrorKind>(DecompressErrorKind::NeedsBuffer { at_least: 7 });
    log::<DecompressError>(inflated);
    log::<QueryUpdateError>(QueryUpdateError::Decompress(inflated));
    let kind = StreamErrorKind::NeedsOffsets { rows: 7 };
    log::<StreamErrorKind>(kind);
    log::<StreamError>(StreamError::new(7, kind));
    log::<RowList<'_>>(RowList::default());
    log::<RowsEvent<'_>>(RowsEvent::End);
    log::<Event<'_>>(Event::End);
    log::<Version>(Version::V3);
    log::<MessageKind>(MessageKind::ReducerResult);
    log::<Outcome>(Outcome::OkEmpty);
    log::<Text>(Text::Token);
    log::<Bytes>(Bytes::Value);
    log::<Change>(Change::Inserts);
    let refused = page::PageError { at: 7, kind: page::PageErrorKind::TooDeep };
    log::<page::PageErrorKind>(page::PageErrorKind::TooDeep);
    log::<page::PageError>(refused);
    log::<page::UpdateError<u8>>(page::UpdateError::Page(refused));
    log::<page::Event>(page::Event::Gone);
    log::<page::Field<'_>>(page::Field::Checked(true));
    log::<Interned>(Interned::Known(7));
    log::<Mode>(Mode::Lenient);
    log::<Applied>(Applied::default());
    log::<DeltaError>(DeltaError::DeltaFull);
    log::<ApplyError>(ApplyError::CapacityExceeded { needed: 7 });
    log::<Inconsistency>(Inconsistency::OtherRow);
    let at = Place::Frame { index: 7, kind: FrameType::Text };
    log::<Place>(at);
    log::<BatchError>(BatchError::StringTableFull { needed: 7, at });
    log::<TreeError>(TreeError::AttributeNotLeading { at });
    log::<FrameType>(FrameType::Text);
    log::<EditType>(EditType::StepIn);
    log::<Value<'_>>(Value::Str("value"));
    log::<Name<'_>>(Name::new("class"));
    log::<Options>(Options::default());
    log::<FrameView<'_>>(FrameView::Text { content: Some("text") });
    log::<EditView<'_>>(EditView::StepIn { sibling: 7 });
    log::<FrameRecord>(FrameRecord::text(7));
    log::<EditRecord>(EditRecord { kind: 6, sibling: 2, index: 0, name: 0 });
    sockets();
    connections();
    let edits = [Edit::prepend_frame(0, 0)];
    log::<Frame<'_>>(Frame::text("text"));
    log::<Edit<'_>>(Edit::prepend_frame(0, 0));
    log::<Diff<'_>>(Diff { component: 7, edits: &edits });
    log::<Batch<'_>>(Batch::default());
    if let Ok(view) = BatchView::lenient(black_box(&[])) {
        log::<BatchView<'_>>(view);
        for diff in view.diffs() {
            log::<DiffView<'_>>(diff);
        }
    }
}

#[inline(never)]
fn sockets() {
    let kind = websocket::ErrorKind::NoMessage;
    let error = websocket::SendError::Closed;
    log::<websocket::ErrorKind>(kind);
    log::<websocket::Error>(websocket::Error { at: 7, kind });
    log::<websocket::SendError>(error);
    log::<websocket::FragmentsError<u8>>(websocket::FragmentsError::Producer(7));
    log::<websocket::Refusal>(websocket::Refusal::BadKey);
    log::<websocket::ResponseError>(websocket::ResponseError::NotAccepted);
    log::<websocket::BadField>(websocket::BadField::Host);
    log::<websocket::Opened<'_>>(websocket::Opened { protocol: None, len: 7 });
    log::<websocket::Limits>(websocket::Limits::DEFAULT);
    log::<websocket::Opcode>(websocket::Opcode::Ping);
    log::<websocket::Kind>(websocket::Kind::Text);
    log::<websocket::Part>(websocket::Part::Last);
    log::<websocket::CloseCode>(websocket::CloseCode::NORMAL);
    log::<websocket::Close<'_>>(websocket::Close { code: None, reason: "" });
    log::<websocket::Data<'_>>(websocket::Data::Text("text"));
    log::<websocket::Event<'_>>(websocket::Event::End);
    log::<websocket::Message<'_>>(websocket::Message::Ping(b"ping"));
}

#[inline(never)]
fn connections() {
    let protocol = http::Protocol::Http2;
    let next = http::Next::Flush { needed: 7 };
    log::<http::Protocol>(protocol);
    log::<http::Next>(next);
    log::<http::Fed>(http::Fed { consumed: 7, written: 7, next });
    log::<http::Waiting>(http::Waiting::Window);
    log::<http::Counters>(http::Counters::default());
    log::<http::Method>(http::Method::Head);
    log::<http::Request>(http::Request { route: 7, method: http::Method::Get, protocol });
    log::<http::NoBody>(http::NoBody);
    log::<http::Exchanged>(http::Exchanged::Switch(7));
    log::<http::PartsError>(http::PartsError::Full { bytes: 7, holes: 7 });
    log::<http::RoutesError>(http::RoutesError::Twice);
    log::<serve::End>(serve::End::Client);
    log::<serve::ServeError<u8>>(serve::ServeError::Io(7));
}

fn log<T: defmt::Format>(value: T) {
    defmt::info!("{}", black_box(value));
}
