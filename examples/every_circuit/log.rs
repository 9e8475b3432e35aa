//! What a firmware would log of circuits.

use core::hint::black_box;

use onewrite::circuit;
use onewrite::circuit::event::{Data, Event, Field, Keyboard, Modifiers, Mouse};
use onewrite::circuit::gate::{Endpoint, GateCounters};
use onewrite::circuit::hub::{Answer, Call, HandshakeError, JsResult, Message, Outcome, TooLong};
use onewrite::circuit::json::{self, Array, NoRoom, Number, Object, Text, View};
use onewrite::circuit::message_pack::{Head, Unpacker};
use onewrite::circuit::origin::{Origin, Unwelcome};
use onewrite::circuit::root::{Operation, Operations, Root, Roots};
use onewrite::circuit::secret::Secret;
use onewrite::circuit::{
    Closed, Handled, JsCall, Location, NoStore, NotSent, Options, Refusal, Renderer,
};

use crate::gate::Numbers;

#[inline(never)]
pub(crate) fn call() {
    log::<circuit::Next>(circuit::Next::Flush { needed: 7 });
    log::<circuit::Waiting>(circuit::Waiting::Browser);
    log::<Endpoint>(Endpoint::Connect);
    log::<GateCounters>(GateCounters::default());
    log::<Refusal>(Refusal::Text);
    log::<Options>(Options::DEFAULT);
    log::<Renderer>(Renderer::One);
    log::<NoStore>(NoStore);
    log::<NotSent>(NotSent::Later);
    log::<Handled>(Handled::Done);
    log::<Closed>(Closed::Cut);
    log::<Location<'_>>(Location { uri: "http://a/", state: None, intercepted: true });
    let (function, arguments, result) = ("f", "[]", JsResult::Value);
    log::<JsCall<'_>>(JsCall { function, arguments, result, object: 0, answered: true });
    log::<JsResult>(result);
    log::<HandshakeError>(HandshakeError::Protocol);
    log::<TooLong>(TooLong { len: 7 });
    log::<Call<'_>>(Call::PauseCircuit);
    log::<Answer<'_>>(Answer::Error { text: "boom" });
    log::<Outcome<'_>>(Outcome::Void);
    log::<Message<'_, Call<'_>>>(Message::Ping);
    log::<Head>(Head::NIL);
    log::<Unpacker<'_>>(Unpacker::new(b"\xc0"));
    log::<Unwelcome>(Unwelcome::Null);
    if let Some(origin) = Origin::new("http://a") {
        log::<Origin<'_>>(origin);
    }
    if let Ok(secret) = Secret::<64>::random(&mut Numbers(7)) {
        log::<Secret<64>>(secret);
    }
    of_json();
}

#[inline(never)]
fn of_json() {
    const EVENT: &str = r#"[{"eventHandlerId":1,"eventName":"keydown","eventFieldInfo":{"componentId":0,"fieldValue":"h"}},{"key":"h","code":"KeyH"}]"#;
    const ROOTS: &str = r#"[{"type":"server","sequence":0,"descriptor":"D"}]"#;
    const OPERATIONS: &str = r#"{"batchId":1,"operations":[{"type":"remove","ssrComponentId":1}]}"#;
    if let Ok(event) = Event::from_call(EVENT) {
        log::<Event<'_>>(event);
        log::<Text<'_>>(event.name);
        if let Some(field) = event.field {
            log::<Field<'_>>(field);
        }
        if let Ok(data) = event.data() {
            log::<Data<'_>>(data);
        }
    }
    log::<Modifiers>(Modifiers::default());
    log::<NoRoom>(NoRoom { needed: 7 });
    let value = match json::Value::parse(EVENT) {
        Ok(value) => value,
        Err(error) => {
            log::<json::Error>(error);
            return;
        }
    };
    log::<json::Value<'_>>(value);
    log::<View<'_>>(value.view());
    if let Ok(array) = value.array() {
        log::<Array<'_>>(array);
    }
    if let Ok(object) = value.object() {
        log::<Object<'_>>(object);
    }
    if let Ok(number) = value.number() {
        log::<Number<'_>>(number);
    }
    if let Ok(Some(Ok(root))) = Roots::parse(ROOTS).map(|mut roots| roots.next()) {
        log::<Root<'_>>(root);
    }
    if let Ok(Some(Ok(operation))) = Operations::parse(OPERATIONS).map(|mut all| all.next()) {
        log::<Operation<'_>>(operation);
    }
    if let Some(keyboard) = black_box(None) {
        log::<Keyboard<'_>>(keyboard);
    }
    if let Some(mouse) = black_box(None) {
        log::<Mouse>(mouse);
    }
}

fn log<T: defmt::Format>(value: T) {
    defmt::info!("{}", black_box(value));
}
