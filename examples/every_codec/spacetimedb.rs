//! SpacetimeDB's protocol: messages out of any input, and a client's into every sink.

use core::convert::Infallible;
use core::hint::black_box;

use onewrite::bsatn::{Decode, Encode, Output};
use onewrite::reader::Reader;
use onewrite::sink::{CountingSink, Sink, SliceSink};
use onewrite::spacetimedb::{
    Arguments, CallArguments, List, ListIter, Payload, Queries, TableRows, v1, v2, v3,
};

/// Bytes of every tag; of most messages, what a damaged one may be.
const INPUT: [u8; 160] = {
    let mut input = [0; 160];
    input[5] = 1;
    input[9] = 1;
    input[20] = 1;
    input
};

#[inline(never)]
pub(crate) fn call() {
    let mut input = INPUT;
    for tag in 0..=11 {
        input[0] = tag;
        let input = black_box(input.as_slice());
        from_a_server(input);
        from_a_client(input);
        lists(input);
    }
    to_a_server();
}

#[inline(never)]
fn decode<'a, T: Decode<'a>>(input: &'a [u8]) {
    let mut reader = Reader::new(black_box(input));
    black_box(<T as Decode<'a>>::decode(black_box(&mut reader))).ok();
}

#[inline(never)]
fn from_a_server(input: &[u8]) {
    black_box(Payload::new(black_box(input))).ok();
    decode::<TableRows<'_>>(input);
    decode::<v1::TableUpdate<'_>>(input);
    decode::<v1::CompressableQueryUpdate<'_>>(input);
    decode::<v1::QueryUpdate<'_>>(input);
    decode::<v1::UpdateStatus<'_>>(input);
    decode::<v1::ReducerCall<'_>>(input);
    decode::<v1::ProcedureStatus<'_>>(input);
    decode::<v1::ServerMessage<'_>>(input);
    decode::<v2::QuerySetUpdate<'_>>(input);
    decode::<v2::TableUpdate<'_>>(input);
    decode::<v2::TableUpdateRows<'_>>(input);
    decode::<v2::ReducerOutcome<'_>>(input);
    decode::<v2::ProcedureStatus<'_>>(input);
    decode::<v2::ServerMessage<'_>>(input);
    if let Ok(message) = v1::ServerMessage::from_slice(input) {
        black_box(v1::ServerMessage::answers(black_box(&message)));
    }
    if let Ok(message) = v2::ServerMessage::from_slice(input) {
        black_box(v2::ServerMessage::answers(black_box(&message)));
        black_box(black_box(message) == black_box(message));
    }
    if let Ok(mut messages) = v3::ServerMessages::new(black_box(input)) {
        while let Some(message) =
            <v3::ServerMessages<'_> as Iterator>::next(black_box(&mut messages))
        {
            black_box(message).ok();
        }
    }
}

#[inline(never)]
fn from_a_client(input: &[u8]) {
    decode::<Queries<'_>>(input);
    decode::<v1::ClientMessage<'_>>(input);
    decode::<v2::ClientMessage<'_>>(input);
}

#[inline(never)]
fn lists(input: &[u8]) {
    list::<&str>(input);
    list::<TableRows<'_>>(input);
    list::<v1::TableUpdate<'_>>(input);
    list::<v2::QuerySetUpdate<'_>>(input);
}

#[inline(never)]
fn list<'a, T: Decode<'a>>(input: &'a [u8]) {
    let mut list = <List<'a, T> as Default>::default();
    if let Ok((found, _)) = <List<'a, T> as Decode<'a>>::take_from(black_box(input)) {
        list = <List<'a, T> as Clone>::clone(black_box(&found));
    }
    decode::<List<'a, T>>(input);
    let list = black_box(&list);
    black_box(<List<'a, T> as PartialEq>::eq(list, black_box(list)));
    black_box(List::len(list));
    black_box(List::is_empty(list));
    black_box(List::as_bytes(list));
    let mut items = List::iter(list);
    black_box(<ListIter<'a, T> as Clone>::clone(black_box(&items)));
    black_box(<ListIter<'a, T> as Iterator>::size_hint(black_box(&items)));
    black_box(<ListIter<'a, T> as Iterator>::next(black_box(&mut items)));
    for item in <List<'a, T> as IntoIterator>::into_iter(*list) {
        black_box(item);
    }
}

#[inline(never)]
fn to_a_server() {
    let texts = black_box(["SELECT * FROM tick", "SELECT * FROM note"]);
    let queries = Queries::new(black_box(&texts));
    black_box(Queries::len(black_box(&queries)));
    black_box(Queries::is_empty(black_box(&queries)));
    for query in Queries::iter(black_box(&queries)) {
        black_box(query);
    }
    black_box(<Queries<'_> as PartialEq>::eq(black_box(&queries), black_box(&queries)));
    black_box(<Queries<'_> as Encode>::encoded_len(black_box(&queries)));

    let args: Arguments<(u32, &str)> = Arguments((7, "hi"));
    black_box(<Arguments<(u32, &str)> as Encode>::encoded_len(black_box(&args)));
    let mut out = [0; 64];
    let mut sink = SliceSink::new(black_box(&mut out));
    black_box(<Arguments<(u32, &str)> as Encode>::encode(black_box(&args), &mut sink)).ok();
    with_output(&Both(args, queries));

    let (reducer, procedure) = black_box(("say", "roll"));
    send_v1(v1::ClientMessage::CallReducer {
        reducer,
        args,
        request_id: 1,
        no_success_notify: true,
    });
    send_v1::<Arguments<(u32, &str)>>(v1::ClientMessage::Subscribe { queries, request_id: 1 });
    send_v1::<Arguments<(u32, &str)>>(v1::ClientMessage::OneOffQuery {
        message_id: &[1],
        query: texts[0],
    });
    send_v1::<&[u8]>(v1::ClientMessage::Unsubscribe { request_id: 1, query_id: 2 });
    send_v2(v2::ClientMessage::CallProcedure { request_id: 1, procedure, args });
    send_v2::<Arguments<(u32, &str)>>(v2::ClientMessage::Subscribe {
        request_id: 1,
        query_set_id: 2,
        queries,
    });
    send_v2::<&[u8]>(v2::ClientMessage::CallReducer { request_id: 1, reducer, args: &[1, 2] });
}

/// Has both put to the output that it is put to itself.
struct Both<'a>(Arguments<(u32, &'a str)>, Queries<'a>);

impl Encode for Both<'_> {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    fn encoded_len(&self) -> usize {
        self.0.encoded_len().saturating_add(self.1.encoded_len())
    }

    fn put<O: Output>(&self, out: &mut O) {
        <Arguments<(u32, &str)> as Encode>::put(black_box(&self.0), out);
        <Queries<'_> as Encode>::put(black_box(&self.1), out);
    }
}

#[inline(never)]
fn with_output(both: &Both<'_>) {
    black_box(both.encode_to_slice(black_box(&mut [0; 128]))).ok();
    black_box(both.encode(black_box(&mut CountingSink::new()))).ok();
}

#[inline(never)]
fn send_v1<A: CallArguments>(message: v1::ClientMessage<'_, A>) {
    let message = black_box(&message);
    black_box(v1::ClientMessage::encoded_len(message));
    black_box(v1::ClientMessage::write_into(message, black_box(&mut [0; 16]))).ok();
    let mut count = CountingSink::new();
    let sink: &mut dyn Sink<Error = Infallible> = &mut count;
    black_box(v1::ClientMessage::write_to(message, black_box(sink))).ok();
}

#[inline(never)]
fn send_v2<A: CallArguments>(message: v2::ClientMessage<'_, A>) {
    let message = black_box(&message);
    black_box(v2::ClientMessage::encoded_len(message));
    black_box(v2::ClientMessage::write_into(message, black_box(&mut [0; 16]))).ok();
    let mut count = CountingSink::new();
    let sink: &mut dyn Sink<Error = Infallible> = &mut count;
    black_box(v2::ClientMessage::write_to(message, black_box(sink))).ok();
    let messages = core::slice::from_ref(message);
    black_box(v3::encoded_len(black_box(messages)));
    black_box(v3::write_into(black_box(messages), black_box(&mut [0; 64]))).ok();
    let sink: &mut dyn Sink<Error = Infallible> = &mut count;
    black_box(v3::write_to(black_box(messages), black_box(sink))).ok();
}
