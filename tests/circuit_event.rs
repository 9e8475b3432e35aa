//! Events and markers as browsers send them, and what is no event.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

use onewrite::circuit::event::{Data, Event, Keyboard, Modifiers, Mouse};
use onewrite::circuit::json::{Error, ErrorKind};
use onewrite::circuit::root::{Operation, Operations, Root, Roots};

/// A click, as the script of November 2024 sends it.
const CLICK: &str = r#"[{"eventHandlerId":1,"eventName":"click","eventFieldInfo":null},{"detail":1,"screenX":85,"screenY":239,"clientX":75,"clientY":142,"offsetX":42,"offsetY":14,"pageX":75,"pageY":142,"movementX":0,"movementY":0,"button":0,"buttons":0,"ctrlKey":false,"shiftKey":false,"altKey":false,"metaKey":false,"type":"click"}]"#;

/// A key, as the same script sends it.
const KEY: &str = r#"[{"eventHandlerId":101,"eventName":"keydown","eventFieldInfo":{"componentId":0,"fieldValue":""}},{"key":"h","code":"KeyH","location":0,"repeat":false,"ctrlKey":false,"shiftKey":false,"altKey":false,"metaKey":false,"type":"keydown","isComposing":false}]"#;

fn data(json: &str) -> Data<'_> {
    Event::from_call(json).unwrap().data().unwrap()
}

fn mouse(json: &str) -> Mouse {
    let Data::Mouse(mouse) = data(json) else { panic!("no mouse: {json}") };
    mouse
}

fn key(json: &str) -> Keyboard<'_> {
    let Data::Keyboard(keyboard) = data(json) else { panic!("no key: {json}") };
    keyboard
}

/// An event of this name with this data.
fn event(name: &str, data: &str) -> String {
    format!("[{{\"eventHandlerId\":2,\"eventName\":\"{name}\",\"eventFieldInfo\":null}},{data}]")
}

/// What is wrong with the data of an event.
fn refusal(name: &str, data: &str) -> ErrorKind {
    let json = event(name, data);
    Event::from_call(&json).unwrap().data().unwrap_err().kind
}

#[test]
fn a_click_has_a_handler_and_a_place() {
    let event = Event::from_call(CLICK).unwrap();
    assert_eq!(event.handler, 1);
    assert!(event.name == "click" && event.field.is_none());
    let expected = Mouse {
        detail: 1,
        button: 0,
        buttons: 0,
        offset: [42, 14],
        client: [75, 142],
        page: [75, 142],
        screen: [85, 239],
        modifiers: Modifiers::default(),
    };
    assert_eq!(mouse(CLICK), expected);
}

#[test]
fn a_pointer_has_buttons_keys_and_fractions() {
    let json = event(
        "mousedown",
        r#"{"button":2,"buttons":3,"clientX":-7.5,"pageY":1234.875,"shiftKey":true,"metaKey":true}"#,
    );
    let mouse = mouse(&json);
    assert_eq!((mouse.button, mouse.buttons), (2, 3));
    assert_eq!((mouse.client, mouse.page), ([-7, 0], [0, 1234]));
    let keys = Modifiers { ctrl: false, shift: true, alt: false, meta: true };
    assert_eq!(mouse.modifiers, keys);
    for name in ["dblclick", "contextmenu", "mouseup", "mousemove", "mouseover", "mouseout"] {
        assert!(matches!(data(&event(name, "{}")), Data::Mouse(_)), "{name}");
    }
}

#[test]
fn a_key_has_a_name_and_a_place() {
    let keyboard = key(KEY);
    assert!(keyboard.key == "h" && keyboard.code == "KeyH" && !keyboard.repeat);
    let json =
        event("keyup", r#"{"key":"\"","code":"Quote","repeat":true,"ctrlKey":true,"altKey":true}"#);
    let keyboard = key(&json);
    assert!(keyboard.key == "\"" && keyboard.repeat);
    let keys = Modifiers { ctrl: true, shift: false, alt: true, meta: false };
    assert_eq!(keyboard.modifiers, keys);
    // Two are what a key is.
    assert_eq!(refusal("keydown", r#"{"key":"a"}"#), ErrorKind::Missing { key: "code" });
}

#[test]
fn an_event_may_be_written_in_any_way() {
    let plain = Event::from_call(CLICK).unwrap();
    for (from, to) in [
        ("[{", " [ { "),
        ("1,\"eventName\"", "1 , \"event\\u004eame\""),
        ("},{", "} , {"),
        ("\"eventHandlerId\":1,", ""),
    ] {
        let mut json = CLICK.replacen(from, to, 1);
        if to.is_empty() {
            json = json.replacen("null}", "null,\"eventHandlerId\":1}", 1);
        }
        let event = Event::from_call(&json).unwrap();
        assert_eq!((event.handler, event.name, event.field.is_none()), (1, plain.name, true));
        assert_eq!(mouse(&json), mouse(CLICK), "{json}");
    }
}

#[test]
fn the_value_of_a_field_is_read_once() {
    let json = r#"[{"eventHandlerId":100,"eventName":"input","eventFieldInfo":{"componentId":4,"fieldValue":"other"}},{"value":"h\n"}]"#;
    let event = Event::from_call(json).unwrap();
    let field = event.field.unwrap();
    assert_eq!((field.component, field.value.raw()), (4, "\"other\""));
    let Data::Text(text) = event.data().unwrap() else { panic!("no text") };
    assert!(text == "h\n");
}

#[test]
fn a_checkbox_is_checked_and_a_form_submitted() {
    assert!(matches!(data(&event("change", r#"{"value":true}"#)), Data::Checked(true)));
    assert!(matches!(data(&event("change", r#"{"value":false}"#)), Data::Checked(false)));
    assert!(matches!(data(&event("change", r#"{"value":"a"}"#)), Data::Text(text) if text == "a"));
    // Several choices of a list, and whatever there is otherwise.
    let json = event("change", r#"{"value":["a","b"]}"#);
    let Data::Other(other) = data(&json) else { panic!("no list") };
    assert_eq!(other.require("value").unwrap().raw(), r#"["a","b"]"#);
    assert!(matches!(data(&event("submit", "{}")), Data::Submit));
    assert!(matches!(data(&event("wheel", r#"{"deltaY":1}"#)), Data::Other(_)));
    assert_eq!(refusal("input", "{}"), ErrorKind::Missing { key: "value" });
}

/// .NET 5 and 3.1.
#[test]
fn old_clients_send_two_texts() {
    let descriptor = r#"{"browserRendererId":0,"eventHandlerId":1,"eventArgsType":"mouse","eventFieldInfo":null}"#;
    let data = r#"{"type":"click","detail":1,"screenX":85,"screenY":239,"clientX":75,"clientY":142,"button":0,"buttons":0,"ctrlKey":false,"shiftKey":false,"altKey":false,"metaKey":false}"#;
    let event = Event::from_descriptor(descriptor, data).unwrap();
    assert!(event.handler == 1 && event.name == "click");
    assert!(matches!(event.data().unwrap(), Data::Mouse(Mouse { client: [75, 142], .. })));
    // Where the data does not say what it is, the descriptor does.
    let change = r#"{"eventHandlerId":7,"eventArgsType":"change"}"#;
    let event = Event::from_descriptor(change, r#"{"value":"x"}"#).unwrap();
    assert!(event.handler == 7 && event.name == "change");
    assert!(matches!(event.data().unwrap(), Data::Text(text) if text == "x"));
}

#[test]
fn what_is_no_event_is_refused_where_it_is_none() {
    let wrong = |expected| ErrorKind::Wrong { expected };
    for (json, at, kind) in [
        ("{}", 0, wrong("an array")),
        ("[{}]", 0, ErrorKind::Count { expected: 2 }),
        ("[{},{},{}]", 0, ErrorKind::Count { expected: 2 }),
        ("[1,{}]", 1, wrong("an object")),
        ("[{},{}]", 1, ErrorKind::Missing { key: "eventHandlerId" }),
        (r#"[{"eventHandlerId":1},{}]"#, 1, ErrorKind::Missing { key: "eventName" }),
        (r#"[{"eventHandlerId":-1,"eventName":"a"},{}]"#, 19, wrong("an integer from zero")),
        (r#"[{"eventHandlerId":"1","eventName":"a"},{}]"#, 19, wrong("a number")),
        (r#"[{"eventHandlerId":1,"eventName":1},{}]"#, 33, wrong("a string")),
        (r#"[{"eventHandlerId":1,"eventName":"a"},[]]"#, 38, wrong("an object")),
        (r#"[{"eventHandlerId":1,"eventHandlerId":2},{}]"#, 38, ErrorKind::Repeated),
        (r#"[{"eventHandlerId":1,"eventName":"a","eventFieldInfo":1},{}]"#, 54, wrong("an object")),
        (r#"[{"eventHandlerId":1,"eventName":"a"},{}"#, 40, ErrorKind::End),
        (
            r#"[{"eventHandlerId":01,"eventName":"a","eventFieldInfo":null},{}]"#,
            20,
            ErrorKind::Number,
        ),
        (
            r#"[{"eventHandlerId":,"eventName":"a","eventFieldInfo":null},{}]"#,
            19,
            ErrorKind::Unexpected,
        ),
        (r#"[{"eventHandlerId":1,"eventName":"a","eventFieldInfo":null},{}"#, 62, ErrorKind::End),
        (r#"[{"eventHandlerId":1,"eventName":"a","eventFieldInfo":null},"#, 60, ErrorKind::End),
        (
            r#"[{"eventHandlerId":18446744073709551616,"eventName":"a","eventFieldInfo":null},{}]"#,
            19,
            wrong("an integer from zero"),
        ),
    ] {
        assert_eq!(Event::from_call(json).unwrap_err(), Error { at, kind }, "{json}");
    }
    // What its data holds is looked at when it is asked for.
    for (name, data, kind) in [
        ("click", r#"{"button":"0"}"#, wrong("a number")),
        ("click", r#"{"clientX":1e9}"#, wrong("a coordinate")),
        ("click", r#"{"button":0,"button":0}"#, ErrorKind::Repeated),
        ("click", r#"{"altKey":0}"#, wrong("a bool")),
        ("keydown", r#"{"key":1,"code":""}"#, wrong("a string")),
        ("input", r#"{"value":"","value":""}"#, ErrorKind::Repeated),
        ("click", "[]", wrong("an object")),
        ("click", r#"{"button":0,}"#, ErrorKind::Unexpected),
        ("wheel", "{},{}", ErrorKind::Trailing),
        ("wheel", "", ErrorKind::End),
    ] {
        assert_eq!(refusal(name, data), kind, "{name} {data}");
    }
}

fn roots(json: &str) -> Result<Vec<(u32, String)>, Error> {
    let owned = |root: Root<'_>| (root.sequence, root.descriptor.to_string());
    Roots::parse(json)?.map(|root| root.map(owned)).collect()
}

#[test]
fn markers_come_back_in_order() {
    assert_eq!(roots("[]"), Ok(vec![]));
    let json = r#"[{"type":"server","sequence":0,"descriptor":"a","uniqueId":0},
        {"type":"server","prerenderId":"x","sequence":1,"descriptor":"b\/c","key":null}]"#;
    assert_eq!(roots(json), Ok(vec![(0, "a".into()), (1, "b/c".into())]));
}

#[test]
fn what_is_no_marker_is_refused() {
    let wrong = |expected| ErrorKind::Wrong { expected };
    for (json, kind) in [
        ("{}", wrong("an array")),
        ("[1]", wrong("an object")),
        (r#"[{"sequence":0,"descriptor":""}]"#, ErrorKind::Missing { key: "type" }),
        (r#"[{"type":"server","descriptor":""}]"#, ErrorKind::Missing { key: "sequence" }),
        (r#"[{"type":"server","sequence":0}]"#, ErrorKind::Missing { key: "descriptor" }),
        (r#"[{"type":"webassembly","sequence":0,"descriptor":""}]"#, wrong("a marker of a server")),
        (
            r#"[{"type":"server","sequence":4294967296,"descriptor":""}]"#,
            wrong("an integer of 32 bits"),
        ),
        (r#"[{"type":"server","sequence":0,"descriptor":null}]"#, wrong("a string")),
        (
            r#"[{"type":"server","sequence":0,"descriptor":"","descriptor":""}]"#,
            ErrorKind::Repeated,
        ),
    ] {
        assert_eq!(roots(json).unwrap_err().kind, kind, "{json}");
    }
}

/// `blazor.web.js` 10.0.7.
#[test]
fn operations_are_those_of_the_client() {
    let json = r#"{"batchId":1,"operations":[{"type":"add","ssrComponentId":1,"marker":{"type":"server","key":{"locationHash":"L1","formattedComponentKey":""},"sequence":0,"descriptor":"CfDJ8-demo","uniqueId":0}},{"type":"update","ssrComponentId":2},{"type":"update","ssrComponentId":3,"marker":{"type":"server","sequence":5,"descriptor":"d"}},{"type":"remove","ssrComponentId":4},{"type":"add","selectorId":6,"marker":{"type":"server","sequence":1,"descriptor":"rc"}}]}"#;
    let mut operations = Operations::parse(json).unwrap();
    assert_eq!(operations.batch, 1);
    let mut next = || operations.next().unwrap().unwrap();
    assert!(matches!(
        next(),
        Operation::Add { selector: 1, root: Root { sequence: 0, descriptor } } if descriptor == "CfDJ8-demo"
    ));
    assert!(matches!(next(), Operation::Update { selector: 2, root: None }));
    assert!(matches!(
        next(),
        Operation::Update { selector: 3, root: Some(Root { sequence: 5, .. }) }
    ));
    assert!(matches!(next(), Operation::Remove { selector: 4 }));
    assert!(matches!(next(), Operation::Add { selector: 6, .. }));
    assert!(operations.next().is_none());
}

#[test]
fn what_is_no_operation_is_refused() {
    let wrong = |expected| ErrorKind::Wrong { expected };
    for (json, kind) in [
        ("[]", wrong("an object")),
        (r#"{"operations":[]}"#, ErrorKind::Missing { key: "batchId" }),
        (r#"{"batchId":1}"#, ErrorKind::Missing { key: "operations" }),
        (r#"{"batchId":1,"operations":{}}"#, wrong("an array")),
    ] {
        assert_eq!(Operations::parse(json).unwrap_err().kind, kind, "{json}");
    }
    for (operation, kind) in [
        ("1", wrong("an object")),
        (r#"{"ssrComponentId":1}"#, ErrorKind::Missing { key: "type" }),
        (r#"{"type":"remove"}"#, ErrorKind::Missing { key: "ssrComponentId" }),
        (r#"{"type":"add","ssrComponentId":1}"#, ErrorKind::Missing { key: "marker" }),
        (r#"{"type":"drop","ssrComponentId":1}"#, wrong("an operation")),
        (r#"{"type":"remove","ssrComponentId":"1"}"#, wrong("a number")),
    ] {
        let json = format!("{{\"batchId\":1,\"operations\":[{operation}]}}");
        let mut operations = Operations::parse(&json).unwrap();
        assert_eq!(operations.next().unwrap().unwrap_err().kind, kind, "{json}");
    }
}
