//! The machine that the server runs on: how warm it is, and whether it has to slow down.

use std::fs;

/// A line about it.
#[derive(Debug)]
pub(crate) struct Machine {
    is_pi: bool,
    line: String,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let model = fs::read_to_string("/proc/device-tree/model").unwrap_or_default();
        let mut machine = Self { is_pi: model.starts_with("Raspberry Pi"), line: String::new() };
        machine.look();
        machine
    }

    /// Looks again; whether it says something else than before.
    pub(crate) fn look(&mut self) -> bool {
        let line = self.read();
        let changed = line != self.line;
        self.line = line;
        changed
    }

    fn read(&self) -> String {
        if !self.is_pi {
            return "not a Raspberry Pi".to_owned();
        }
        let temperature = fs::read_to_string("/sys/class/thermal/thermal_zone0/temp").ok();
        let temperature = temperature.and_then(|text| text.trim().parse::<i32>().ok());
        let throttled = fs::read_to_string("/sys/devices/platform/soc/soc:firmware/get_throttled");
        let bits = throttled.ok().and_then(|text| u32::from_str_radix(text.trim(), 16).ok());
        let mut line = match temperature {
            Some(thousandths) => {
                format!("{}.{} \u{b0}C", thousandths / 1_000, thousandths % 1_000 / 100)
            }
            None => "no thermometer".to_owned(),
        };
        line += match bits {
            // The lower bits say what is so now: under-voltage, capped, throttled, too warm.
            Some(bits) if bits & 0xf != 0 => ", throttled",
            Some(_) => ", at full speed",
            None => "",
        };
        line
    }

    pub(super) fn line(&self) -> &str {
        &self.line
    }
}
