//! A hole in a body that is not there.
//~ a response of status 204, 205 or 304 has no body

onewrite::http::response! { static RESPONSE = 304, {}, [hole(COUNT, 3)] }

fn main() {}
