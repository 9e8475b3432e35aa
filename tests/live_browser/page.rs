//! A page in the browser, as a person would use it, and what went wrong in it.

use std::path::Path;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::PATIENCE;
use super::chromium::{Chromium, Opened};

/// Names a folder for pictures of pages.
const SCREENSHOTS: &str = "ONEWRITE_SCREENSHOTS";

/// A page of its own: cookies, storage and connections are shared with no other.
#[derive(Debug)]
pub(crate) struct Page {
    chromium: &'static Chromium,
    opened: Opened,
    events: Receiver<Json>,
    complaints: Vec<String>,
}

impl Page {
    /// An empty page.
    pub(crate) fn new(chromium: &'static Chromium) -> Self {
        let (opened, events) = chromium.open();
        let page = Self { chromium, opened, events, complaints: Vec::new() };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        page
    }

    /// The same with what is at `url`, loaded.
    pub(crate) fn at(chromium: &'static Chromium, url: &str) -> Self {
        let page = Self::new(chromium);
        page.go(url);
        page
    }

    fn call(&self, method: &str, params: &Json) -> Json {
        self.chromium.call(&self.opened.session, method, params).unwrap()
    }

    /// Goes to `url` and waits until its parts are there.
    pub(crate) fn go(&self, url: &str) {
        let gone = self.call("Page.navigate", &json!({ "url": url }));
        assert_eq!(gone.get("errorText"), None, "{url}");
        self.until("document.readyState === 'complete'");
    }

    /// What a script comes to.
    pub(crate) fn evaluate(&self, script: &str) -> Json {
        self.try_evaluate(script).unwrap_or_else(|why| panic!("{script}: {why}"))
    }

    fn try_evaluate(&self, script: &str) -> Result<Json, String> {
        let params = json!({ "expression": script, "returnByValue": true, "awaitPromise": true });
        let mut result = self.chromium.call(&self.opened.session, "Runtime.evaluate", &params)?;
        match result.get("exceptionDetails") {
            Some(details) => Err(exception(details)),
            None => Ok(result["result"]["value"].take()),
        }
    }

    /// Waits until a script is true; what it throws while the page is still being made is no harm.
    pub(crate) fn until(&self, script: &str) {
        self.until_within(script, PATIENCE);
    }

    /// The same, with a limit; returns how long it took.
    pub(crate) fn until_within(&self, script: &str, limit: Duration) -> Duration {
        let begun = Instant::now();
        loop {
            let result = self.try_evaluate(script);
            if result == Ok(true.into()) {
                return begun.elapsed();
            }
            if begun.elapsed() > limit {
                let text = self.try_evaluate("document.documentElement?.outerHTML.slice(-3000)");
                panic!("{script} is {result:?} after {limit:?}, in {text:?}");
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The text of the first element that a selector finds.
    pub(crate) fn text(&self, selector: &str) -> String {
        let text = self.evaluate(&format!("document.querySelector({selector:?}).textContent"));
        text.as_str().unwrap().to_owned()
    }

    /// Waits until the first element that a selector finds has this text.
    pub(crate) fn until_text(&self, selector: &str, text: &str) {
        self.until(&format!("document.querySelector({selector:?})?.textContent === {text:?}"));
    }

    /// Presses and releases the left button of the mouse over an element.
    pub(crate) fn click(&self, selector: &str) {
        let find = format!(
            "(() => {{ const element = document.querySelector({selector:?}); \
             element.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const box = element.getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        let place = self.evaluate(&find);
        let mouse = |what: &str, count: u8| {
            let (x, y) = (&place[0], &place[1]);
            let params =
                json!({ "type": what, "x": x, "y": y, "button": "left", "clickCount": count });
            self.call("Input.dispatchMouseEvent", &params);
        };
        mouse("mousePressed", 1);
        mouse("mouseReleased", 1);
    }

    /// Types into whatever has the focus, a key at a time.
    pub(crate) fn type_text(&self, text: &str) {
        for character in text.chars() {
            let mut press = json!({ "type": "keyDown", "text": character, "key": character });
            self.call("Input.dispatchKeyEvent", &press);
            press["type"] = "keyUp".into();
            self.call("Input.dispatchKeyEvent", &press);
        }
    }

    /// Loads the page anew.
    pub(crate) fn reload(&self) {
        self.call("Page.reload", &json!({}));
        self.until("document.readyState === 'complete'");
    }

    /// What went wrong since it was asked last: errors on the console, exceptions, and requests or
    /// rules that the browser complains of.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        // What was said before this is answered has come when it is.
        self.evaluate("0");
        while let Ok(event) = self.events.try_recv() {
            self.complaints.extend(complaint(&event));
        }
        std::mem::take(&mut self.complaints)
    }

    /// Keeps what a person would see, where somebody wants to look at it: as PNG in the folder that
    /// `$ONEWRITE_SCREENSHOTS` names.
    pub(crate) fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os(SCREENSHOTS) else { return };
        let file = format!("{}.png", name.replace([' ', ','], "-"));
        let shot = self.call("Page.captureScreenshot", &json!({}));
        let bytes = base64(shot["data"].as_str().unwrap());
        std::fs::write(Path::new(&folder).join(file), bytes).unwrap();
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.chromium.close(&self.opened);
    }
}

/// What an event complains of.
fn complaint(event: &Json) -> Option<String> {
    let params = &event["params"];
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => Some(exception(&params["exceptionDetails"])),
        "Runtime.consoleAPICalled" => {
            let level = params["type"].as_str()?;
            let said = params["args"].as_array()?.iter();
            let said: Vec<String> = said.map(said_as).collect();
            (level == "error").then(|| format!("console: {}", said.join(" ")))
        }
        "Log.entryAdded" => {
            let entry = &params["entry"];
            let of = entry["url"].as_str().unwrap_or_default();
            let text = entry["text"].as_str()?;
            (entry["level"] == "error").then(|| format!("browser: {text} {of}"))
        }
        _ => None,
    }
}

fn said_as(argument: &Json) -> String {
    let value = &argument["value"];
    let text = value.as_str().or_else(|| argument["description"].as_str());
    text.map_or_else(|| value.to_string(), str::to_owned)
}

fn exception(details: &Json) -> String {
    let text = details["exception"]["description"].as_str();
    text.or_else(|| details["text"].as_str()).unwrap_or("an exception").to_owned()
}

/// The bytes of a text in base64 that nothing is wrong with.
fn base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for letter in text.bytes() {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xff) as u8);
        }
    }
    bytes
}
