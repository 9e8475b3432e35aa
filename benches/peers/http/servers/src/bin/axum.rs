//! axum by its own `serve`, one thread. It tells the protocols apart by the first bytes.

use std::io;

use axum::Router;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use http_peers::{BODY, PATH};
use tokio::net::TcpListener;

async fn page() -> &'static str {
    BODY
}

async fn serve() -> io::Result<()> {
    let (address, _) = http_peers::arguments();
    let listener = TcpListener::bind(address).await?.tap_io(|stream| {
        // Where it cannot be set, the client's times show it.
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, Router::new().route(PATH, get(page))).await
}

fn main() -> io::Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_io().build()?.block_on(serve())
}
