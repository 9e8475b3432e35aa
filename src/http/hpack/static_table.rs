//! The fields that both sides of HPACK know (RFC 7541 appendix A).

/// A name and a value, which is empty where the table has only the name.
pub(in crate::http) struct Field {
    pub(in crate::http) name: &'static str,
    pub(in crate::http) value: &'static str,
}

const fn field(name: &'static str, value: &'static str) -> Field {
    Field { name, value }
}

/// The fields from index 1 on.
pub(in crate::http) const FIELDS: [Field; 61] = [
    field(":authority", ""),
    field(":method", "GET"),
    field(":method", "POST"),
    field(":path", "/"),
    field(":path", "/index.html"),
    field(":scheme", "http"),
    field(":scheme", "https"),
    field(":status", "200"),
    field(":status", "204"),
    field(":status", "206"),
    field(":status", "304"),
    field(":status", "400"),
    field(":status", "404"),
    field(":status", "500"),
    field("accept-charset", ""),
    field("accept-encoding", "gzip, deflate"),
    field("accept-language", ""),
    field("accept-ranges", ""),
    field("accept", ""),
    field("access-control-allow-origin", ""),
    field("age", ""),
    field("allow", ""),
    field("authorization", ""),
    field("cache-control", ""),
    field("content-disposition", ""),
    field("content-encoding", ""),
    field("content-language", ""),
    field("content-length", ""),
    field("content-location", ""),
    field("content-range", ""),
    field("content-type", ""),
    field("cookie", ""),
    field("date", ""),
    field("etag", ""),
    field("expect", ""),
    field("expires", ""),
    field("from", ""),
    field("host", ""),
    field("if-match", ""),
    field("if-modified-since", ""),
    field("if-none-match", ""),
    field("if-range", ""),
    field("if-unmodified-since", ""),
    field("last-modified", ""),
    field("link", ""),
    field("location", ""),
    field("max-forwards", ""),
    field("proxy-authenticate", ""),
    field("proxy-authorization", ""),
    field("range", ""),
    field("referer", ""),
    field("refresh", ""),
    field("retry-after", ""),
    field("server", ""),
    field("set-cookie", ""),
    field("strict-transport-security", ""),
    field("transfer-encoding", ""),
    field("user-agent", ""),
    field("vary", ""),
    field("via", ""),
    field("www-authenticate", ""),
];

/// The index of a field in [`FIELDS`], counted from 1; zero if it is not there.
#[derive(Clone, Copy)]
pub(in crate::http) struct Found {
    /// Of the first field with this name.
    pub(in crate::http) name: u8,
    /// Of the field with this name and value.
    pub(in crate::http) pair: u8,
}

/// Looks `name` and `value` up.
pub(in crate::http) const fn find(name: &[u8], value: &[u8]) -> Found {
    let mut found = Found { name: 0, pair: 0 };
    let mut fields: &[Field] = &FIELDS;
    let mut index = 1;
    while let [field, rest @ ..] = fields {
        if same(field.name.as_bytes(), name) {
            if found.name == 0 {
                found.name = index;
            }
            // An empty value is nowhere in the table as a value of its own.
            if !value.is_empty() && same(field.value.as_bytes(), value) {
                found.pair = index;
                return found;
            }
        }
        fields = rest;
        index += 1;
    }
    found
}

/// Whether two strings are the same, also for the compiler, which cannot evaluate `==` on slices.
pub(in crate::http) const fn same(a: &[u8], b: &[u8]) -> bool {
    // The compiler gives up on what takes it too many steps: strings that differ mostly do so in
    // length or at their end, and those that do not are compared in words.
    if a.len() != b.len() {
        return false;
    }
    if let ([.., last], [.., other]) = (a, b)
        && *last != *other
    {
        return false;
    }
    let ((mut words, mut rest), (mut other_words, mut other_rest)) =
        (a.as_chunks::<8>(), b.as_chunks::<8>());
    while let ([word, later @ ..], [other, others @ ..]) = (words, other_words) {
        if u64::from_le_bytes(*word) != u64::from_le_bytes(*other) {
            return false;
        }
        (words, other_words) = (later, others);
    }
    while let ([byte, later @ ..], [other, others @ ..]) = (rest, other_rest) {
        if *byte != *other {
            return false;
        }
        (rest, other_rest) = (later, others);
    }
    true
}
