//! The example's page in a real browser, driven by the unmodified script.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "live_browser/chromium.rs"]
mod chromium;
#[path = "live_browser/page.rs"]
#[allow(dead_code, reason = "what the example's page takes comes with it")]
mod page;

use std::time::Duration;

use chromium::Chromium;
use page::Page;

/// Longer than anything should take, also on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the tests lean on: clicks and keys are those of a person, and nothing that goes wrong in a
/// page is missed.
#[test]
fn a_page_is_used_and_complains() {
    let Some(chromium) = Chromium::shared() else { return };
    let page = "<body style='height:3000px'><p></p><input><button style='margin-top:2000px'>";
    let mut page = Page::at(chromium, &format!("data:text/html,{page}"));
    assert_eq!(page.complaints(), [""; 0]);
    page.evaluate(
        "document.querySelector('button').onclick = event => { \
         document.querySelector('p').textContent = `${event.isTrusted} ${event.detail}`; }",
    );
    page.click("button");
    page.until_text("p", "true 1");
    page.click("input");
    page.type_text("5 \u{b0}C <b>");
    assert_eq!(page.evaluate("document.querySelector('input').value"), "5 \u{b0}C <b>");
    page.evaluate("console.log('fine'); console.error('first', 2); 0");
    page.evaluate("setTimeout(() => { throw new Error('second'); }); 0");
    page.until("new Promise(done => setTimeout(() => done(true), 10))");
    let complaints = page.complaints();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert_eq!(complaints[0], "console: first 2");
    assert!(complaints[1].starts_with("Error: second"), "{complaints:?}");
    assert_eq!(page.complaints(), [""; 0]);
}
