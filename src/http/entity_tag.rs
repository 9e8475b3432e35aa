//! Entity tags, by which a client says what it has already (RFC 9110 section 8.8.3).

/// Whether the value of an if-none-match field names the tag `current` (RFC 9110 section 13.1.2).
///
/// `current` has its quotes, and is empty where there is none: then only `*` names it. What is no list
/// of tags names those in front of the first mistake.
pub(super) fn is_named(current: &[u8], value: &[u8]) -> bool {
    if value.trim_ascii() == b"*" {
        return true;
    }
    let (current, mut rest) = (opaque(current), value);
    loop {
        rest = match rest {
            [b' ' | b'\t' | b',', tail @ ..] => tail,
            // Tags are compared weakly (RFC 9110 section 8.8.3.2).
            [b'W', b'/', b'"', tail @ ..] | [b'"', tail @ ..] => {
                let Some(end) = tail.iter().position(|byte| *byte == b'"') else { return false };
                let Some((named, tail)) = tail.split_at_checked(end) else { return false };
                if current == Some(named) {
                    return true;
                }
                tail.get(1..).unwrap_or_default()
            }
            _ => return false,
        };
    }
}

/// What is between the quotes of a tag.
///
/// In patterns: `strip_prefix` and its kin keep a panic at opt-level `z`.
fn opaque(tag: &[u8]) -> Option<&[u8]> {
    match tag {
        [b'"', text @ .., b'"'] | [b'W', b'/', b'"', text @ .., b'"'] => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn a_tag_is_named_alone_or_in_a_list() {
        for value in [
            &b"\"a,b\""[..],
            b"\"x\", \"a,b\"",
            b"W/\"a,b\"",
            b",, \"y\" ,\t\"a,b\",",
            b"*",
            b" * ",
        ] {
            assert!(is_named(b"\"a,b\"", value), "{value:?}");
            assert!(is_named(b"W/\"a,b\"", value), "{value:?}");
        }
    }

    #[test]
    fn other_values_do_not_name_it() {
        for value in [
            &b""[..],
            b"a,b",
            b"\"a\"",
            b"\"a,b",
            b"x, \"a,b\"",
            b"\"\"",
            b"w/\"a,b\"",
            b"\"x\", *",
            b"**",
        ] {
            assert!(!is_named(b"\"a,b\"", value), "{value:?}");
        }
        // A response without a tag is named by no tag.
        assert!(!is_named(b"", b"\"\""));
        assert!(is_named(b"", b"*"));
    }
}
