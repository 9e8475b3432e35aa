//! Values of the special types, and of those that Rust has.

use std::fmt::Debug;

use onewrite::bsatn::{
    ConnectionId, Decode, Encode, I256, Identity, ScheduleAt, TimeDuration, Timestamp, U256, Uuid,
};
use serde_json::Value as Json;

use crate::report::hex;
use crate::value::decimal;

pub(crate) fn compare(case: &Json) -> Result<(), String> {
    let wire = hex(&case["hex"])?;
    let name = case["name"].as_str().unwrap_or_default();
    let value = &case["value"];
    let (key, of) =
        value.as_object().and_then(|object| object.iter().next()).ok_or("a value has one key")?;
    let micros = || of.as_i64().ok_or("no microseconds");
    let small =
        |json: &Json| json.as_u64().and_then(|value| u16::try_from(value).ok()).ok_or("no u16");
    match key.as_str() {
        "hex_be" if name.starts_with("ConnectionId") => {
            both(ConnectionId::from_be_bytes(array(&hex(of)?)?), &wire)
        }
        "hex_be" => both(Identity::from_be_bytes(array(&hex(of)?)?), &wire),
        "micros" if name.starts_with("TimeDuration") => {
            both(TimeDuration { micros: micros()? }, &wire)
        }
        "micros" => both(Timestamp { micros: micros()? }, &wire),
        "interval_micros" => both(ScheduleAt::Interval(TimeDuration { micros: micros()? }), &wire),
        "time_micros" => both(ScheduleAt::Time(Timestamp { micros: micros()? }), &wire),
        "uuid" => {
            let digits = of.as_str().unwrap_or_default().replace('-', "");
            both(Uuid::from_be_bytes(array(&hex(&Json::String(digits))?)?), &wire)
        }
        "some_u16" => both(Some(small(of)?), &wire),
        "none" => both(None::<u16>, &wire),
        "ok_u16" => both(Ok::<u16, &str>(small(of)?), &wire),
        "err" => both(Err::<u16, &str>(of.as_str().unwrap_or_default()), &wire),
        "tuple" => {
            let [a, b, c] = [&of[0], &of[1], &of[2]].map(Json::as_u64);
            let a = a.and_then(|a| u8::try_from(a).ok()).ok_or("no u8")?;
            let b = b.and_then(|b| u16::try_from(b).ok()).ok_or("no u16")?;
            let c = c.and_then(|c| u32::try_from(c).ok()).ok_or("no u32")?;
            both((a, b, c), &wire)
        }
        "u256" => both(U256::from_le_bytes(decimal(of)?), &wire),
        "i256" => both(I256::from_le_bytes(decimal(of)?), &wire),
        "bytes_hex" => {
            let bytes = hex(of)?;
            if let Ok(array) = <[u8; 4]>::try_from(bytes.as_slice()) {
                both(array, &wire)?;
            }
            both(bytes.as_slice(), &wire)
        }
        other => Err(format!("unknown value {other}")),
    }
}

/// The value gives the bytes, and the bytes the value.
fn both<'a, T: Encode + Decode<'a> + PartialEq + Debug>(
    value: T,
    wire: &'a [u8],
) -> Result<(), String> {
    let mut bytes = vec![0xa5; value.encoded_len()];
    value.encode_to_slice(&mut bytes).map_err(|error| error.to_string())?;
    if bytes != wire {
        return Err(format!("encoded as {bytes:02x?}"));
    }
    match T::from_slice(wire) {
        Ok(decoded) if decoded == value => Ok(()),
        other => Err(format!("decoded as {other:?}")),
    }
}

fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N], String> {
    bytes.try_into().map_err(|_| format!("{} bytes of {N}", bytes.len()))
}
