//! A response that is written whole, without bound.
//~ a response that is written with its head has a maximum of 1 to 65,536 bytes

static WHOLE: onewrite::http::Response<'static> = onewrite::http::Response::written(65_537);
onewrite::http::routes! { static SITE = { "/" => WHOLE } }

fn main() {}
