//! JSON, and what a browser says in it.

use core::hint::black_box;

use onewrite::circuit::event::Event;
use onewrite::circuit::json::{Array, Chars, Elements, Members, Number, Object, Text, Value, View};
use onewrite::circuit::root::{Operations, Roots};

const JSON: [&str; 6] = [
    r#" {"a": 1, "b": [true, false, null], "c": "t\u00e9xt\n", "d": -1.5e3} "#,
    r#"[[[[[[]]]]]]"#,
    r#""\ud83d\ude00 and \ud83d""#,
    "18446744073709551616",
    "{\"a\":1,\"a\":2}",
    "nope",
];

const EVENTS: [&str; 4] = [
    r#"[{"eventHandlerId":1,"eventName":"click","eventFieldInfo":null},{"detail":1,"screenX":85.5}]"#,
    r#"[{"eventHandlerId":1,"eventName":"input","eventFieldInfo":{"componentId":0,"fieldValue":"h"}},{"value":"h"}]"#,
    r#"[{"eventHandlerId":1,"eventName":"keydown","eventFieldInfo":null},{"key":"h","code":"KeyH"}]"#,
    r#"[{"eventHandlerId":1,"eventName":"change","eventFieldInfo":null},{"value":true}]"#,
];

const DESCRIPTOR: &str =
    r#"{"browserRendererId":0,"eventHandlerId":1,"eventArgsType":"mouse","eventFieldInfo":null}"#;

const ROOTS: &str = r#"[{"type":"server","sequence":0,"descriptor":"D"},{"type":"other"}]"#;

const OPERATIONS: &str = r#"{"batchId":1,"operations":[{"type":"add","ssrComponentId":1,"marker":{"type":"server","sequence":0,"descriptor":"D"}},{"type":"remove","ssrComponentId":1},{"type":"update","selectorId":1}]}"#;

#[inline(never)]
pub(crate) fn call() {
    for json in black_box(JSON) {
        if let Ok(value) = Value::parse(black_box(json)) {
            read(black_box(value));
        }
    }
    for json in black_box(EVENTS) {
        if let Ok(event) = Event::from_call(black_box(json)) {
            event_of(black_box(&event));
        }
    }
    if let Ok(event) = Event::from_descriptor(black_box(DESCRIPTOR), black_box("{}")) {
        event_of(black_box(&event));
    }
    if let Ok(mut roots) = Roots::parse(black_box(ROOTS)) {
        while let Some(root) = <Roots<'_> as Iterator>::next(black_box(&mut roots)) {
            black_box(root).ok();
        }
    }
    if let Ok(mut operations) = Operations::parse(black_box(OPERATIONS)) {
        while let Some(operation) = <Operations<'_> as Iterator>::next(black_box(&mut operations)) {
            black_box(operation).ok();
        }
    }
}

#[inline(never)]
fn event_of(event: &Event<'_>) {
    black_box(Event::arguments(event)).ok();
    black_box(Event::data(event)).ok();
}

#[inline(never)]
fn read(value: Value<'_>) {
    black_box(Value::raw(&value));
    black_box(Value::at(&value));
    black_box(Value::is_null(&value));
    black_box(Value::bool(&value)).ok();
    black_box(Value::number(&value)).ok();
    black_box(Value::u64(&value)).ok();
    black_box(Value::u32(&value)).ok();
    black_box(Value::i64(&value)).ok();
    black_box(Value::text(&value)).ok();
    black_box(Value::array(&value)).ok();
    black_box(Value::object(&value)).ok();
    match Value::view(black_box(&value)) {
        View::Array(array) => array_of(black_box(array)),
        View::Object(object) => object_of(black_box(object)),
        View::Text(text) => text_of(black_box(text)),
        View::Number(number) => number_of(black_box(number)),
        View::Null | View::Bool(_) => {}
    }
}

#[inline(never)]
fn array_of(array: Array<'_>) {
    black_box(Array::exactly::<2>(&array)).ok();
    black_box(Array::iter(&array));
    let mut elements = <Array<'_> as IntoIterator>::into_iter(array);
    while let Some(element) = <Elements<'_> as Iterator>::next(black_box(&mut elements)) {
        black_box(element);
    }
}

#[inline(never)]
fn object_of(object: Object<'_>) {
    black_box(Object::get(&object, black_box("a"))).ok();
    black_box(Object::pick(&object, black_box(["a", "b"]))).ok();
    black_box(Object::require(&object, black_box("c"))).ok();
    black_box(Object::iter(&object));
    let mut members = <Object<'_> as IntoIterator>::into_iter(object);
    while let Some((name, value)) = <Members<'_> as Iterator>::next(black_box(&mut members)) {
        text_of(black_box(name));
        if let View::Number(number) = Value::view(black_box(&value)) {
            number_of(black_box(number));
        }
        if let View::Text(text) = Value::view(black_box(&value)) {
            text_of(black_box(text));
        }
    }
}

#[inline(never)]
fn text_of(text: Text<'_>) {
    let mut buffer = [0; 8];
    black_box(Text::raw(&text));
    black_box(Text::plain(&text));
    black_box(Text::len(&text));
    black_box(Text::is_empty(&text));
    black_box(Text::unescape(&text, black_box(&mut buffer))).ok();
    black_box(Text::copy_to(&text, black_box(&mut buffer))).ok();
    black_box(<Text<'_> as PartialEq<str>>::eq(&text, black_box("a")));
    black_box(<Text<'_> as PartialEq<&str>>::eq(&text, black_box(&"a")));
    black_box(<Text<'_> as PartialEq>::eq(&text, black_box(&text)));
    let mut chars = Text::chars(black_box(&text));
    while let Some(char) = <Chars<'_> as Iterator>::next(black_box(&mut chars)) {
        black_box(char);
    }
}

#[inline(never)]
fn number_of(number: Number<'_>) {
    black_box(Number::raw(&number));
    black_box(Number::to_u64(number));
    black_box(Number::to_i64(number));
    black_box(Number::truncated(number));
}
