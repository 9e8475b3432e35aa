//! The pages of a board.

use onewrite::http::{Handler, NoBody, Request, response, routes};
use onewrite::literal::space_padded;
use onewrite_boards::now_ns;

response! {
    static DATA = 200, { "content-type": "text/plain; charset=utf-8" }, "Hello World"
}

response! {
    /// `/uptime`: a literal but for the seconds.
    static UPTIME = 200, { "content-type": "text/plain", "cache-control": "no-store" },
    [hole(SECONDS, 10), " seconds\n"]
}

response! {
    /// `/environment`: what the board says of itself.
    static ENVIRONMENT = 200, { "content-type": "text/plain", "cache-control": "no-store" },
    dynamic(max = 1536)
}

routes! {
    /// Everything there is.
    pub(crate) static ROUTES = {
        "/" => DATA, "/data" => DATA, "/uptime" => UPTIME, "/environment" => ENVIRONMENT,
    }, output = 2048
}

/// What the pages are made from.
#[derive(Debug)]
pub(crate) struct Site;

impl Handler for Site {
    fn fill(&mut self, _: Request, hole: usize, bytes: &mut [u8]) {
        if hole == UPTIME::SECONDS
            && let Some(seconds) = space_padded::<10>(now_ns() / 1_000_000_000)
        {
            bytes.copy_from_slice(&seconds);
        }
    }

    fn body(&mut self, _: Request, body: &mut [u8]) -> Result<usize, NoBody> {
        let (environment, mut len) = (onewrite_boards::environment(), 0);
        for fact in environment.facts() {
            for part in [fact.key(), ": ", fact.value(), "\n"] {
                let place = body.get_mut(len..len + part.len()).ok_or(NoBody)?;
                place.copy_from_slice(part.as_bytes());
                len += part.len();
            }
        }
        Ok(len)
    }
}
