//! Two types of one body.
//~ header field `content-type`: a header field that can be there only once is there twice

onewrite::http::response! {
    static RESPONSE = 200, { "content-type": "text/plain", "content-type": "text/html" }
}

fn main() {}
