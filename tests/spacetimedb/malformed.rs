//! Damaged values: what each is refused for.
//!
//! The vectors state the verdict of the real decoder, which leaves bytes behind a value; ours
//! refuses those as well.

use onewrite::error::{DecodeError, DecodeErrorKind};
use serde_json::Value as Json;

use crate::report::hex;
use crate::static_types;
use crate::types;
use crate::value::Value;

pub(crate) fn compare(case: &Json) -> Result<(), String> {
    let ty = types::parse(&case["ty"])?;
    let bytes = hex(&case["hex"])?;
    let real = &case["real"];
    let accepted = real["ok"].as_bool().ok_or("no verdict")?;
    let sound = accepted && real["remaining"].as_u64() == Some(0);

    let walked = Value::walk(ty, &bytes);
    if walked.is_ok() != sound {
        return Err(format!("walked: {walked:?}"));
    }
    if let Some(decoded) = static_types::decode(&case["ty"], &bytes) {
        if decoded.is_ok() != sound {
            return Err(format!("decoded: {decoded:?}"));
        }
        // A Rust type knows how short an element can be, so it sees a count that is too large.
        if let (Err(decoded), Err(walked)) = (decoded, &walked)
            && !matches!(decoded.kind, DecodeErrorKind::CountTooLarge { .. })
            && (decoded.at, kind_of(&decoded)) != (walked.at, kind_of(walked))
        {
            return Err(format!("decoded: {decoded}, walked: {walked}"));
        }
    }
    match walked {
        Err(error) if error.at > bytes.len() => Err(format!("behind the input: {error}")),
        Err(error) => same_class(real, &error),
        Ok(_) => Ok(()),
    }
}

/// The kind without its name for the type, which only a Rust type has.
fn kind_of(error: &DecodeError) -> std::mem::Discriminant<DecodeErrorKind> {
    std::mem::discriminant(&error.kind)
}

/// Ours is an error of the kind that the real decoder gives, where it gives one.
fn same_class(real: &Json, error: &DecodeError) -> Result<(), String> {
    use DecodeErrorKind as Kind;
    let same = matches!(
        (real["error"].as_str(), error.kind),
        (Some("too_short"), Kind::EndOfInput { .. } | Kind::CountTooLarge { .. })
            | (Some("invalid_bool"), Kind::InvalidBool { .. })
            | (Some("invalid_tag"), Kind::UnknownDiscriminant { .. })
            | (Some("invalid_utf8"), Kind::InvalidUtf8)
            | (None, Kind::TrailingBytes { .. })
    );
    if same { Ok(()) } else { Err(format!("{error}, and not {}", real["error"])) }
}
