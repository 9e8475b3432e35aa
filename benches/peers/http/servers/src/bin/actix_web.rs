//! actix-web, one worker, which tells HTTP/2 by prior knowledge from HTTP/1.1 by the first bytes.

use std::io;

use actix_web::http::header::ContentType;
use actix_web::{App, HttpResponse, HttpServer, rt, web};
use http_peers::{BODY, PATH};

async fn page() -> HttpResponse {
    HttpResponse::Ok().content_type(ContentType::plaintext()).body(BODY)
}

fn main() -> io::Result<()> {
    let (address, _) = http_peers::arguments();
    let app = || App::new().route(PATH, web::get().to(page));
    let server = HttpServer::new(app).workers(1).tcp_nodelay(true).bind_auto_h2c(address)?;
    rt::System::new().block_on(server.run())
}
