//! Connections and their circuits.

use core::hint::black_box;

use onewrite::circuit::event::Event;
use onewrite::circuit::hub::{Call, FromClient, HANDSHAKE, JsResult, Message};
use onewrite::circuit::json::Text;
use onewrite::circuit::origin::Origin;
use onewrite::circuit::secret::CircuitSecret;
use onewrite::circuit::{
    BatchSink, BatchStore, Closed, Connection, Counters, Handled, Handler, JsCall, Location,
    NoStore, Options, Refusal, Server, Slot, Store,
};
use onewrite::render_batch::{Batch, Diff, Edit, Frame};
use onewrite::sink::{CountingSink, Sink, SliceSink};
use onewrite::string_table::StringTable;
use onewrite::websocket::{self, Data, Sender};

use crate::gate::Numbers;

/// Uses whatever a handler has by default.
struct Plain;

impl Handler for Plain {
    type Page = u8;

    fn secret(&mut self) -> Option<CircuitSecret> {
        CircuitSecret::random(&mut Numbers(black_box(7))).ok()
    }

    fn open(&mut self, _base_uri: &str, _uri: &str) -> Option<u8> {
        black_box(Some(0))
    }

    fn root(&mut self, _page: &mut u8, _component: i32, _descriptor: Text<'_>) -> bool {
        black_box(true)
    }

    fn event(&mut self, page: &mut u8, event: &Event<'_>) -> Handled {
        black_box(event);
        *page = page.wrapping_add(1);
        black_box(Handled::Done)
    }

    fn render(&mut self, page: &mut u8, out: &mut dyn BatchSink) {
        let digit = [b'0' | *page & 7];
        let text = core::str::from_utf8(&digit).unwrap_or_default();
        let frames = [Frame::element("p", 2), Frame::text(text)];
        let diffs = [Diff { component: 0, edits: &[Edit::prepend_frame(0, 0)] }];
        let batch = Batch { diffs: &diffs, frames: &frames, ..Batch::default() };
        black_box(out.send(black_box(&batch))).ok();
    }
}

/// The same, and calls functions.
struct Caller(Plain);

impl Handler for Caller {
    type Page = u8;

    fn secret(&mut self) -> Option<CircuitSecret> {
        self.0.secret()
    }

    fn open(&mut self, base_uri: &str, uri: &str) -> Option<u8> {
        self.0.open(base_uri, uri)
    }

    fn root(&mut self, page: &mut u8, component: i32, descriptor: Text<'_>) -> bool {
        self.0.root(page, component, descriptor)
    }

    fn event(&mut self, page: &mut u8, event: &Event<'_>) -> Handled {
        self.0.event(page, event)
    }

    fn render(&mut self, page: &mut u8, out: &mut dyn BatchSink) {
        self.0.render(page, out);
    }

    fn js_call<'b>(&'b mut self, page: &'b mut u8) -> Option<JsCall<'b>> {
        *page = page.wrapping_add(1);
        let answered = black_box(true);
        let result = JsResult::Value;
        let call = JsCall { function: "f", arguments: "[]", result, object: 0, answered };
        black_box((*page & 1 == 0).then_some(call))
    }
}

const START: Call<'static> = Call::StartCircuit {
    base_uri: "http://a/",
    uri: "http://a/",
    components: r#"[{"type":"server","sequence":0,"descriptor":"D"}]"#,
    state: Some(""),
};

const EVENT: &str =
    r#"[{"eventHandlerId":1,"eventName":"click","eventFieldInfo":null},{"detail":1}]"#;

const UPDATE: &str = r#"{"batchId":1,"operations":[{"type":"add","ssrComponentId":1,"marker":{"type":"server","sequence":0,"descriptor":"D"}}]}"#;

/// What a browser may send, in an order that makes sense for a while.
const CALLS: [Call<'static>; 12] = [
    START,
    Call::BeginInvokeDotNetFromJs {
        call: Some("1"),
        assembly: None,
        method: "DispatchEventAsync",
        object: 1,
        arguments: EVENT,
    },
    Call::BeginInvokeDotNetFromJs {
        call: Some("1"),
        assembly: None,
        method: "UpdateRootComponents",
        object: 1,
        arguments: "[\"[]\"]",
    },
    Call::OnRenderCompleted { batch: 2, error: None },
    Call::UpdateRootComponents { operations: UPDATE, state: "" },
    Call::EndInvokeJsFromDotNet { handle: 1, ok: true, result: "null" },
    Call::OnLocationChanged { uri: "http://a/b", state: None, intercepted: true },
    Call::OnLocationChanging { call: 1, uri: "http://a/b", state: None, intercepted: true },
    Call::PauseCircuit,
    Call::Other { target: "Unheard", arguments: b"\x90" },
    Call::DispatchBrowserEvent { descriptor: "{}", arguments: "{}" },
    Call::ConnectCircuit { secret: "secret" },
];

#[inline(never)]
pub(crate) fn call() {
    let mut slots = [const { Slot::<u8, NoStore>::new() }; 2];
    serve(Plain, black_box(&mut slots));
    let mut slots = [const { Slot::<u8, BatchStore<2, 256>>::new() }; 2];
    serve(Caller(Plain), black_box(&mut slots));
    black_box(<Slot<u8, NoStore> as Default>::default());
    black_box(<BatchStore<1, 8> as Default>::default());
    black_box(BatchStore::<1, 8>::new());
    black_box(<Options as Default>::default());
    defaults(&mut Plain, &mut 0);
    for refusal in [Refusal::Text, Refusal::BadRoot] {
        black_box(Refusal::kind(black_box(refusal)));
        black_box(Refusal::name(black_box(refusal)));
    }
}

#[inline(never)]
fn defaults(handler: &mut Plain, page: &mut u8) {
    let location = Location { uri: "http://a/", state: None, intercepted: true };
    black_box(Handler::js_call(black_box(&mut *handler), page));
    Handler::js_called(black_box(&mut *handler), page, 7);
    Handler::js_answer(black_box(&mut *handler), page, 7, black_box(Ok("7")));
    Handler::location_changed(black_box(&mut *handler), page, &location);
    black_box(Handler::location_changing(black_box(&mut *handler), page, &location));
    Handler::root_removed(black_box(&mut *handler), page, 7);
    Handler::closed(black_box(handler), *page, black_box(Closed::Cut));
}

#[inline(never)]
fn serve<H: Handler<Page = u8>, St: Store>(handler: H, slots: &mut [Slot<u8, St>]) {
    let mut strings = [0; 8];
    let table = StringTable::<64>::new();
    let server = Server::new(handler, slots, table, black_box(Options::DEFAULT));
    let mut server = Server::with_strings(server, black_box(&mut strings));
    let server = black_box(&mut server);
    let Some(origin) = Origin::new(black_box("http://a")) else { return };
    let mut room = [0; 1024];
    for streams in black_box([false, true]) {
        let mut conn = Connection::<512>::new(black_box(origin));
        let mut sender = Sender::<websocket::Client>::new();
        let mut frame = [0; 512];
        for at in 0..=CALLS.len() {
            let len = frame_of(&mut sender, at, &mut frame);
            let mut input = frame.get_mut(..len).unwrap_or_default();
            if streams {
                step(&mut conn, server, &mut input, &mut CountingSink::new());
            } else {
                step(&mut conn, server, &mut input, &mut SliceSink::new(black_box(&mut room)));
            }
        }
        ends(&mut conn, server);
        Connection::detach(&mut conn, server, black_box(7));
    }
    of_server(server);
}

/// The bytes of message number `at`, masked.
#[inline(never)]
fn frame_of(sender: &mut Sender<websocket::Client>, at: usize, frame: &mut [u8]) -> usize {
    let mut payload = [0; 480];
    let mut sink = SliceSink::new(&mut payload);
    let data = match at.checked_sub(1).and_then(|at| CALLS.get(at)) {
        Some(call) => {
            let message: FromClient<'_> = Message::Invocation { id: Some("7"), call: *call };
            black_box(message.encode(&mut sink)).ok();
            Data::Binary(sink.into_written())
        }
        None => Data::Text(HANDSHAKE),
    };
    let mut sink = SliceSink::new(frame);
    black_box(sender.message(data, [1, 2, 3, 4], &mut sink)).ok();
    sink.written()
}

type Table = StringTable<64>;

#[inline(never)]
fn step<H: Handler<Page = u8>, St: Store, S: Sink>(
    conn: &mut Connection<'_, 512>,
    server: &mut Server<'_, H, St, Table>,
    input: &mut &mut [u8],
    sink: &mut S,
) {
    black_box(Connection::feed(black_box(conn), server, input, sink)).ok();
    black_box(Connection::pump(black_box(conn), server, sink)).ok();
    black_box(Connection::ping(black_box(conn), sink)).ok();
    black_box(Connection::waiting(conn));
    black_box(Connection::received(conn));
    black_box(Connection::sent(conn));
    black_box(Connection::refusal(conn));
}

#[inline(never)]
fn ends<H: Handler<Page = u8>, St: Store>(
    conn: &mut Connection<'_, 512>,
    server: &mut Server<'_, H, St, Table>,
) {
    let mut room = [0; 64];
    let mut sink = SliceSink::new(black_box(&mut room));
    black_box(Connection::error(black_box(conn), server, black_box("boom"), &mut sink)).ok();
    black_box(Connection::hub_close(black_box(conn), black_box(None), &mut sink)).ok();
    black_box(Connection::time_out(black_box(conn), &mut sink)).ok();
    black_box(Connection::shut_down(black_box(conn), &mut sink)).ok();
}

#[inline(never)]
fn of_server<H: Handler<Page = u8>, St: Store>(server: &mut Server<'_, H, St, Table>) {
    Server::for_each_page(server, |_, page| *page = black_box(7));
    black_box(core::ptr::from_ref(Server::handler(server)));
    black_box(core::ptr::from_mut(Server::handler_mut(server)));
    let counters = Server::counters(black_box(server));
    black_box(Counters::refused(counters, black_box(7)));
    black_box(Counters::refused_in_all(counters));
    black_box(Server::circuits(black_box(server)));
    black_box(Server::disconnect(black_box(server), black_box("secret")));
    black_box(Server::expire(black_box(server), black_box(700), black_box(7)));
    Server::close_all(black_box(server));
}
