//! The facts a number is worth nothing without.

use core::fmt::{self, Write};

use heapless::{String, Vec};

/// What kind of number a machine can produce. Numbers of two labels are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Label {
    /// A Raspberry Pi: cycles and time read on the device.
    Pi,
    /// An emulated Pi, bare or with Linux, that counts instructions: exact and repeatable, but no
    /// speed.
    QemuIcount,
    /// An emulated machine that does not count. Its clock follows the machine it runs on, so
    /// nothing it measures is a number about the Pi.
    Qemu,
    /// Some machine with an operating system; time compares within one run.
    Host,
    /// Bare metal that is neither QEMU nor a Raspberry Pi as we know them.
    Unidentified,
}

impl Label {
    /// The label as it stands in tables and files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pi => "pi",
            Self::QemuIcount => "qemu-icount",
            Self::Qemu => "qemu",
            Self::Host => "host",
            Self::Unidentified => "unidentified",
        }
    }

    /// Whether time measured here says how fast the machine is.
    #[must_use]
    pub const fn measures_time(self) -> bool {
        matches!(self, Self::Pi | Self::Host)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One fact about the machine or the build; displays as `key: value`.
#[derive(Clone, Debug)]
pub struct Fact {
    key: &'static str,
    value: String<{ Self::VALUE_BYTES }>,
}

impl Fact {
    /// Bytes a value may have; what is longer is cut and ends with `...`.
    pub const VALUE_BYTES: usize = 160;

    /// What the fact is about, in lower case with spaces.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        self.key
    }

    /// The value as text, with its unit.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.value)
    }
}

/// The facts of the machine and the build at one moment.
///
/// Displays one fact a line. Clock, temperature and throttling move, so take one before and one
/// after what is measured.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    facts: Vec<Fact, { Self::CAPACITY }>,
}

impl Environment {
    /// Facts there is room for; every machine has fewer.
    pub const CAPACITY: usize = 32;

    /// The facts in the order they should be printed.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The value of the fact with this key.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        self.facts.iter().find(|fact| fact.key == key).map(Fact::value)
    }

    /// An environment that holds what the build knows.
    #[cfg_attr(
        not(any(hosted, all(target_os = "none", target_arch = "aarch64"))),
        expect(dead_code, reason = "a small machine, or none that is known, states no facts")
    )]
    pub(crate) fn of_build(board: &str, label: Label) -> Self {
        let mut environment = Self::default();
        environment.add("board", format_args!("{board}"));
        environment.add("label", format_args!("{label}"));
        environment.add("target", format_args!("{}", env!("ONEWRITE_TARGET")));
        environment.add("rustc", format_args!("{}", env!("ONEWRITE_RUSTC")));
        environment.add("opt level", format_args!("{}", env!("ONEWRITE_OPT_LEVEL")));
        environment.add("rustflags", format_args!("{}", env!("ONEWRITE_RUSTFLAGS")));
        environment
    }

    /// Adds a fact; one past the capacity is left out, which a test of each back end rules out.
    pub(crate) fn add(&mut self, key: &'static str, value: fmt::Arguments<'_>) {
        let mut text = Cut(String::new());
        // `Cut` shortens and then stops the formatting: either way the value is complete.
        let _ = text.write_fmt(value);
        let _ = self.facts.push(Fact { key, value: text.0 });
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fact in &self.facts {
            writeln!(f, "{fact}")?;
        }
        Ok(())
    }
}

/// Text of one line that ends with `...` where it did not fit.
struct Cut(String<{ Fact::VALUE_BYTES }>);

impl Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for char in text.chars() {
            let char = if char.is_control() { ' ' } else { char };
            if self.0.len() + char.len_utf8() + 3 > Fact::VALUE_BYTES {
                let _ = self.0.push_str("...");
                return Err(fmt::Error);
            }
            let _ = self.0.push(char);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Environment, Fact, Label};

    #[test]
    fn a_fact_displays_as_key_and_value() {
        let environment = Environment::of_build("bench", Label::Host);
        let first = environment.facts().first().map(ToString::to_string);
        assert_eq!(first.as_deref(), Some("board: bench"));
        assert_eq!(environment.value("label"), Some("host"));
        assert_eq!(environment.value("no such key"), None);
    }

    #[test]
    fn a_long_value_is_cut_with_a_mark_and_stays_on_one_line() {
        let mut environment = Environment::default();
        environment.add("long", format_args!("a\nb{}", "é".repeat(200)));
        let value = environment.value("long").unwrap_or_default();
        assert!(value.len() <= Fact::VALUE_BYTES);
        assert!(value.starts_with("a bé"));
        assert!(value.ends_with("..."));
    }
}
