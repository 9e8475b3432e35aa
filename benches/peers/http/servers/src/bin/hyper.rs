//! hyper, one thread, one protocol, and no date, which ours does not send either: its fastest.

use std::convert::Infallible;
use std::io;

use http_body_util::Full;
use http_peers::{BODY, MEDIA_TYPE, PATH, Protocol};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;

async fn page(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    if request.uri().path() != PATH {
        let mut missing = Response::default();
        *missing.status_mut() = StatusCode::NOT_FOUND;
        return Ok(missing);
    }
    let mut response = Response::new(Full::new(Bytes::from_static(BODY.as_bytes())));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    Ok(response)
}

async fn serve() -> io::Result<()> {
    let (address, protocol) = http_peers::arguments();
    let listener = TcpListener::bind(address).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let stream = TokioIo::new(stream);
        // A connection that fails is the client's affair; `compare` counts what did not arrive.
        match protocol {
            Protocol::H1 => {
                let mut builder = http1::Builder::new();
                let builder = builder.pipeline_flush(true).auto_date_header(false);
                tokio::spawn(builder.serve_connection(stream, service_fn(page)));
            }
            Protocol::H2 => {
                let mut builder = http2::Builder::new(TokioExecutor::new());
                let builder = builder.auto_date_header(false);
                tokio::spawn(builder.serve_connection(stream, service_fn(page)));
            }
        }
    }
}

fn main() -> io::Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_io().build()?.block_on(serve())
}
