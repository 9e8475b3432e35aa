//! What a measurement says of itself: facts in their order, and a date.

use std::fmt;

use anyhow::{Context as _, Result};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Names and values in the order in which they were stated; a name stands there once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts(Vec<(String, String)>);

/// A moment to the second, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Timestamp(OffsetDateTime);

impl Facts {
    /// A name that stands there twice keeps both values.
    pub(crate) fn of(pairs: Vec<(String, String)>) -> Self {
        let mut facts = Self::default();
        for (name, value) in pairs {
            match facts.0.iter_mut().find(|(other, _)| *other == name) {
                Some((_, old)) if *old == value => {}
                Some((_, old)) => *old = format!("{old}; {value}"),
                None => facts.0.push((name, value)),
            }
        }
        facts
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|&(other, _)| other == name).map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Facts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Facts;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of texts")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Facts, M::Error> {
                let mut facts = Facts::default();
                while let Some((name, value)) = map.next_entry::<String, String>()? {
                    if facts.get(&name).is_some() {
                        return Err(M::Error::custom(format!("{name:?} stands there twice")));
                    }
                    facts.0.push((name, value));
                }
                Ok(facts)
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl Timestamp {
    pub(crate) fn now() -> Self {
        let now = OffsetDateTime::now_utc();
        Self(now.replace_nanosecond(0).unwrap_or(now))
    }

    /// Reads `2026-11-30T20:08:46Z`; another offset is turned into UTC.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let moment = OffsetDateTime::parse(text, &Rfc3339)
            .with_context(|| format!("{text:?} is no date and time as in 2026-11-30T20:08:46Z"))?;
        let moment = moment.to_offset(time::UtcOffset::UTC);
        Ok(Self(moment.replace_nanosecond(0)?))
    }

    /// For a file name: `20261130T200846Z`.
    pub(crate) fn compact(self) -> String {
        self.to_string().replace(['-', ':'], "")
    }

    /// For an axis: day and minute.
    pub(crate) fn to_the_minute(self) -> (String, String) {
        let text = self.to_string();
        let (day, hour) = text.split_once('T').unwrap_or((&text, ""));
        (day.to_owned(), hour.get(..5).unwrap_or(hour).to_owned())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.format(&Rfc3339).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|error| D::Error::custom(format!("{error:#}")))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn a_fact_stands_there_once() {
        let facts = Facts::of(vec![pair("a", "1"), pair("a", "2"), pair("a", "1; 2")]);
        assert_eq!(facts.get("a"), Some("1; 2"));
        assert_eq!(facts.iter().count(), 1);
        let error = serde_json::from_str::<Facts>(r#"{"a": "1", "b": "2", "a": "1"}"#).unwrap_err();
        assert!(error.to_string().contains("\"a\" stands there twice"), "{error}");
    }

    #[test]
    fn moments_are_in_utc_to_the_second() {
        let moment = Timestamp::parse("2026-12-01T01:08:46.9+05:00").unwrap();
        assert_eq!(moment.to_string(), "2026-11-30T20:08:46Z");
        assert_eq!(moment.compact(), "20261130T200846Z");
        assert_eq!(moment.to_the_minute(), ("2026-11-30".to_owned(), "20:08".to_owned()));
        assert_eq!(Timestamp::parse(&Timestamp::now().to_string()).unwrap().to_string().len(), 20);
        for text in ["", "2026-11-30", "2026-11-30 20:08:46", "2026-13-30T20:08:46Z"] {
            assert!(Timestamp::parse(text).is_err(), "{text}");
        }
    }
}
