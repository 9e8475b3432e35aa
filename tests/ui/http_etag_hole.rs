//! A tag of a body that differs.
//~ a body that differs each time has no entity tag

onewrite::http::response! { static RESPONSE = 200, {}, [hole(COUNT, 3)], etag = "v1" }

fn main() {}
