//! Where the package is known not to keep a value, so that nothing can be compared.

use serde_json::Value as Json;

/// Which way a value went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The package has encoded it.
    Encoded,
    /// The package has decoded it.
    Decoded,
}

/// The ways on which something is lost.
#[derive(Clone, Copy)]
pub(crate) enum Lost {
    Encoding,
    Decoding,
    Both,
}

impl Lost {
    pub(crate) fn includes(self, way: Way) -> bool {
        match self {
            Self::Encoding => way == Way::Encoded,
            Self::Decoding => way == Way::Decoded,
            Self::Both => true,
        }
    }
}

/// Something that the package loses.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    pub(crate) way: Lost,
    /// Whether a value is concerned itself, apart from what it holds.
    concerned: fn(&Json, &Json) -> bool,
}

/// All of it, in version 2.10.1.
pub(crate) const KNOWN: [Known; 4] = [
    // Its serializer of a result takes the type of `ok` for both.
    Known { name: "the err of a result", way: Lost::Encoding, concerned: is_err },
    // An option is its value or `undefined`: what the inner one is cannot be told from the outer.
    Known { name: "some of none", way: Lost::Both, concerned: is_some_of_none },
    // JavaScript does not say which bits its one NaN has.
    Known { name: "a NaN with bits of its own", way: Lost::Both, concerned: is_special_nan },
    // `TextDecoder` takes it for a byte order mark.
    Known { name: "a text that begins with U+FEFF", way: Lost::Decoding, concerned: is_marked },
];

impl Known {
    /// Whether the value is concerned, or something in it.
    pub(crate) fn holds(&self, ty: &Json, value: &Json) -> bool {
        if (self.concerned)(ty, value) {
            return true;
        }
        let list = |json: &Json| json.as_array().cloned().unwrap_or_default();
        if let Some(element) = ty.get("array") {
            return list(value).iter().any(|item| self.holds(element, item));
        }
        if let Some(fields) = ty.get("product") {
            let fields = list(fields);
            return fields.iter().zip(list(value)).any(|(field, it)| self.holds(&field[1], &it));
        }
        match variant(ty, value) {
            Some(variant) => self.holds(&variant[1], &value["value"]),
            None => false,
        }
    }
}

/// The name and type of the variant of a sum that `value` is.
fn variant<'t>(ty: &'t Json, value: &Json) -> Option<&'t Json> {
    ty.get("sum")?.get(usize::try_from(value["tag"].as_u64()?).ok()?)
}

fn is(ty: &Json, value: &Json, name: &str) -> bool {
    variant(ty, value).is_some_and(|variant| variant[0] == name)
}

fn is_err(ty: &Json, value: &Json) -> bool {
    is(ty, value, "err")
}

fn is_some_of_none(ty: &Json, value: &Json) -> bool {
    is(ty, value, "some") && is(&ty["sum"][0][1], &value["value"], "none")
}

fn is_special_nan(ty: &Json, value: &Json) -> bool {
    let digits = value.as_str().and_then(|text| text.strip_prefix("0x"));
    let Some(bits) = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()) else {
        return false;
    };
    match (ty.as_str(), u32::try_from(bits)) {
        (Some("f32"), Ok(bits)) => f32::from_bits(bits).is_nan() && bits != 0x7fc0_0000,
        (Some("f64"), _) => f64::from_bits(bits).is_nan() && bits != 0x7ff8_0000_0000_0000,
        _ => false,
    }
}

fn is_marked(ty: &Json, value: &Json) -> bool {
    ty == "string" && value.as_str().is_some_and(|text| text.starts_with('\u{feff}'))
}
