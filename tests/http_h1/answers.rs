//! What the connection says, byte by byte.

pub(crate) const ROOT: &str =
    "HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-type: text/plain\r\n\r\nroot";
pub(crate) const ROOT_CLOSE: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 4\r\n\
     content-type: text/plain\r\n\r\nroot";
pub(crate) const DATA: &str = "HTTP/1.1 200 OK\r\ncontent-length: 11\r\netag: \"v1\"\r\n\
     content-type: text/plain\r\n\r\nHello World";
pub(crate) const DATA_HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-length: 11\r\netag: \"v1\"\r\n\
     content-type: text/plain\r\n\r\n";
pub(crate) const DATA_CLOSE: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 11\r\n\
     etag: \"v1\"\r\ncontent-type: text/plain\r\n\r\nHello World";
pub(crate) const DATA_HEAD_CLOSE: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\n\
     content-length: 11\r\netag: \"v1\"\r\ncontent-type: text/plain\r\n\r\n";
pub(crate) const NOT_MODIFIED: &str = "HTTP/1.1 304 Not Modified\r\netag: \"v1\"\r\n\r\n";
pub(crate) const COUNT: &str =
    "HTTP/1.1 200 OK\r\ncontent-length:    12\r\ncontent-type: text/plain\r\n\r\ntwelve bytes";
pub(crate) const COUNT_HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-length:    12\r\ncontent-type: text/plain\r\n\r\n";
pub(crate) const SENSOR: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nx-unit: K\r\n\r\nt=291";
pub(crate) const WRITTEN: &str = "HTTP/1.1 203 Written\r\ncontent-length: 3\r\n\r\nnow";
pub(crate) const WRITTEN_CLOSE: &str =
    "HTTP/1.1 203 Written\r\nconnection: close\r\ncontent-length: 3\r\n\r\nnow";
pub(crate) const WRITTEN_HEAD: &str = "HTTP/1.1 203 Written\r\ncontent-length: 3\r\n\r\n";
pub(crate) const NOT_HERE: &str = "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno";
pub(crate) const NOT_HERE_HEAD: &str = "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n";
pub(crate) const NOT_ALLOWED: &str =
    "HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\nallow: GET, HEAD\r\n\r\n";
pub(crate) const METHODS: &str = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nallow: GET, HEAD\r\n\r\n";
pub(crate) const UNKNOWN_METHOD: &str = "HTTP/1.1 501 Not Implemented\r\ncontent-length: 0\r\n\r\n";
pub(crate) const CONTINUE: &str = "HTTP/1.1 100 Continue\r\n\r\n";

// What is wrong with a request ends the connection.
pub(crate) const BAD_REQUEST: &str =
    "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
pub(crate) const TIMED_OUT: &str =
    "HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
pub(crate) const TOO_LARGE: &str =
    "HTTP/1.1 413 Content Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
pub(crate) const TARGET_TOO_LONG: &str =
    "HTTP/1.1 414 URI Too Long\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
pub(crate) const EXPECTATION_FAILED: &str =
    "HTTP/1.1 417 Expectation Failed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
pub(crate) const FIELDS_TOO_LARGE: &str = "HTTP/1.1 431 Request Header Fields Too Large\r\n\
     connection: close\r\ncontent-length: 0\r\n\r\n";
pub(crate) const NOT_IMPLEMENTED: &str =
    "HTTP/1.1 501 Not Implemented\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
pub(crate) const VERSION: &str = "HTTP/1.1 505 HTTP Version Not Supported\r\n\
     connection: close\r\ncontent-length: 0\r\n\r\n";
