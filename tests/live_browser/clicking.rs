//! What a click takes until it is in the page, with many pages at once.

use std::iter;
use std::thread;
use std::time::Duration;

use serde_json::Value as Json;

use super::child::Server;
use super::chromium::Chromium;
use super::page::Page;
use super::script::Script;

/// Pages, all in one browser.
const PAGES: usize = 50;

/// Milliseconds from one click in a page to its next.
const EVERY: usize = 500;

/// For how long.
const MEASURED: Duration = Duration::from_secs(20);

/// Measures with each script and prints a line.
pub(crate) fn measure() {
    let Some(chromium) = Chromium::shared() else { return };
    for script in Script::all() {
        let server = Server::start(script.arguments());
        let open = || {
            let page = Page::at(chromium, &server.url());
            page.until("document.querySelector('#click') !== null");
            page
        };
        let mut pages: Vec<Page> = iter::repeat_with(open).take(PAGES).collect();
        for (number, page) in pages.iter().enumerate() {
            // Out of step with each other.
            let phase = (number * EVERY / PAGES).to_string();
            let script = CLICKING.replace("PHASE", &phase).replace("EVERY", &EVERY.to_string());
            page.evaluate(&script);
        }
        thread::sleep(MEASURED);
        let (mut times, mut missed) = (Vec::new(), 0);
        for page in &mut pages {
            let result = page.evaluate("clearInterval(timer); [times, missed]");
            times.extend(result[0].as_array().unwrap().iter().filter_map(Json::as_f64));
            missed += result[1].as_u64().unwrap();
            assert_eq!(page.complaints(), [""; 0]);
        }
        times.sort_by(f64::total_cmp);
        let at = |hundredths: usize| times[(times.len() - 1) * hundredths / 100];
        println!(
            "{}: {} clicks in {PAGES} pages, {missed} left out as the one before was under way; \
             median {:.1} ms, 95th {:.1} ms, 99th {:.1} ms, max {:.1} ms",
            script.name,
            times.len(),
            at(50),
            at(95),
            at(99),
            at(100)
        );
    }
}

/// Each page clicks by itself: to be told to from here would take longer than the click does.
const CLICKING: &str = "
    var times = [], missed = 0, timer, clicked = 0;
    new MutationObserver(() => {
        if (clicked) times.push(performance.now() - clicked);
        clicked = 0;
    }).observe(document.querySelector('p[role=status]'), {
        subtree: true, characterData: true, childList: true,
    });
    setTimeout(() => {
        timer = setInterval(() => {
            if (clicked) return void ++missed;
            clicked = performance.now();
            document.querySelector('#click').click();
        }, EVERY);
    }, PHASE);
    0";
