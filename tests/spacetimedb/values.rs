//! Values of any type: the library encodes them, walks over them and decodes them.

use onewrite::bsatn::Encode as _;
use onewrite::sink::CountingSink;
use serde_json::Value as Json;

use crate::report::hex;
use crate::static_types;
use crate::types;
use crate::value::Value;

pub(crate) fn compare(case: &Json) -> Result<(), String> {
    let ty = types::parse(&case["ty"])?;
    let expected = hex(&case["hex"])?;
    let value = Value::parse(&ty, &case["value"])?;

    let mut bytes = vec![0xa5; value.encoded_len()];
    value.encode_to_slice(&mut bytes).map_err(|error| error.to_string())?;
    if bytes != expected {
        return Err(format!("encoded as {bytes:02x?}"));
    }
    let mut count = CountingSink::new();
    value.encode(&mut count).map_err(|error| error.to_string())?;
    if count.written() != expected.len() {
        return Err(format!("a stream got {} bytes", count.written()));
    }

    let walked = Value::walk(ty, &expected).map_err(|error| format!("walked: {error}"))?;
    if walked != value {
        return Err(format!("walked: {walked:?}"));
    }
    match static_types::decode(&case["ty"], &expected) {
        Some(Ok(again)) if again != expected => Err(format!("decoded and encoded as {again:02x?}")),
        Some(Err(error)) => Err(format!("decoded: {error}")),
        _ => Ok(()),
    }
}
