//! Hub messages, both directions.

use core::hint::black_box;

use onewrite::circuit::hub::{
    self, Answer, Call, FromClient, FromServer, JsResult, Message, Messages, Outcome,
};
use onewrite::sink::{CountingSink, SliceSink};

/// What may stand in a message, and what may not.
const PAYLOADS: [&[u8]; 6] = [
    b"\x19\x95\x01\x80\xc0\xb1OnRenderCompleted\x92\x02\xc0\x02\x91\x06",
    b"\x0a\x95\x01\x81\x01\x02\xa10\xa3Foo\x90",
    b"\x08\x95\x03\x80\xa10\x03\xa1S\x06\x92\x07\xa3bye\x03\x92\x08\x07",
    b"\x06\x94\x02\x80\xa10\xc0\x05\x93\x05\x80\xa10",
    b"\x14\x96\x01\x80\xc0\xa8JS.Error\x91\xa4boom\x90",
    b"\xff\xff\xff\xff\xff\x02\x91",
];

#[inline(never)]
pub(crate) fn call() {
    for payload in black_box(PAYLOADS) {
        let mut messages = Messages::new(black_box(payload));
        while let Some(message) = <Messages<'_> as Iterator>::next(black_box(&mut messages)) {
            black_box(Messages::position(black_box(&messages)));
            if let Ok(message) = message {
                black_box(FromClient::decode(black_box(message))).ok();
                black_box(FromServer::decode(black_box(message))).ok();
            }
        }
    }
    black_box(hub::check_handshake(black_box(hub::HANDSHAKE.as_bytes()))).ok();
    black_box(hub::check_handshake(black_box(b"{}\x1e"))).ok();
    for len in black_box([7, 300, usize::MAX]) {
        black_box(hub::batch_head(black_box(7), black_box(len)));
    }
    calls();
    answers();
    envelopes();
}

#[inline(never)]
fn calls() {
    let (text, bytes) = (black_box("text"), black_box(b"bytes".as_slice()));
    let some = black_box(Some(text));
    for call in [
        Call::StartCircuit { base_uri: text, uri: text, components: text, state: some },
        Call::UpdateRootComponents { operations: text, state: text },
        Call::ConnectCircuit { secret: text },
        Call::ResumeCircuit {
            secret: text,
            base_uri: text,
            uri: text,
            components: text,
            state: text,
        },
        Call::PauseCircuit,
        Call::BeginInvokeDotNetFromJs {
            call: some,
            assembly: some,
            method: text,
            object: 7,
            arguments: text,
        },
        Call::EndInvokeJsFromDotNet { handle: 7, ok: true, result: text },
        Call::DispatchBrowserEvent { descriptor: text, arguments: text },
        Call::OnRenderCompleted { batch: 7, error: some },
        Call::OnLocationChanged { uri: text, state: some, intercepted: true },
        Call::OnLocationChanging { call: 7, uri: text, state: some, intercepted: true },
        Call::ReceiveByteArray { id: 7, data: bytes },
        Call::ReceiveJsDataChunk { stream: 7, chunk: 7, data: bytes, error: some },
        Call::SendDotNetStreamToJs { stream: 7 },
        Call::Other { target: text, arguments: bytes },
    ] {
        let call = black_box(call);
        black_box(Call::target(&call));
        client(&Message::Invocation { id: black_box(some), call });
    }
}

#[inline(never)]
fn answers() {
    let (text, bytes) = (black_box("text"), black_box(b"bytes".as_slice()));
    for call in [
        Answer::AttachComponent { component: 7, selector: text },
        Answer::RenderBatch { id: 7, batch: bytes },
        Answer::BeginInvokeJs {
            handle: 7,
            function: text,
            arguments: text,
            result: JsResult::Void,
            object: 7,
        },
        Answer::EndInvokeDotNet { call: text, ok: true, result: text },
        Answer::EndUpdateRootComponents { batch: 7 },
        Answer::EndLocationChanging { call: 7, go: true },
        Answer::Error { text },
        Answer::Other { target: text, arguments: bytes },
    ] {
        let call = black_box(call);
        black_box(Answer::target(&call));
        server(&Message::Invocation { id: black_box(None), call });
    }
}

#[inline(never)]
fn envelopes() {
    let id = black_box("7");
    let call = Call::PauseCircuit;
    for message in [
        Message::StreamItem { id, item: b"\xc0" },
        Message::StreamInvocation { id, call },
        Message::CancelInvocation { id },
        Message::Ping,
        Message::Close { error: Some(id), reconnect: Some(true) },
        Message::Acknowledge { sequence: 7 },
        Message::Sequence { sequence: 7 },
    ] {
        client(&message);
    }
    for outcome in [
        Outcome::Error(id),
        Outcome::Void,
        Outcome::Nil,
        Outcome::Bool(true),
        Outcome::Text(id),
        Outcome::Other(b"\xc0"),
    ] {
        client(&Message::Completion { id, outcome: black_box(outcome) });
    }
}

#[inline(never)]
fn client(message: &FromClient<'_>) {
    let mut buffer = [0; 64];
    let message = black_box(message);
    black_box(Message::encoded_len(message));
    black_box(Message::encode(message, &mut SliceSink::new(black_box(&mut buffer)))).ok();
    black_box(Message::encode(message, &mut CountingSink::new())).ok();
    black_box(Message::<'_, Call<'_>>::decode(black_box(&buffer))).ok();
}

#[inline(never)]
fn server(message: &FromServer<'_>) {
    let mut buffer = [0; 64];
    let message = black_box(message);
    black_box(Message::encoded_len(message));
    black_box(Message::encode(message, &mut SliceSink::new(black_box(&mut buffer)))).ok();
    black_box(Message::encode(message, &mut CountingSink::new())).ok();
    black_box(Message::<'_, Answer<'_>>::decode(black_box(&buffer))).ok();
}
