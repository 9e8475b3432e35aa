//! The macro that makes a response.

/// Makes a [`Response`](crate::http::Response) at compile time.
///
/// `static NAME = status, { fields }, body, etag = …`; body and tag may be left out. Attributes and a
/// visibility may stand in front of `static`.
///
/// | part | is |
/// |---|---|
/// | status | a constant number, 200 to 599 |
/// | fields | `"name": value`, names in lower case; without `content-length` and `etag` |
/// | value | a constant `&str`, or a list of pieces in brackets |
/// | body | a constant `&str`, `&[u8]` or `&[u8; N]`, a list of pieces in brackets, or `dynamic(max = 1024)` |
/// | piece | a constant as above, `hole(NAME, width)`, or `hole(NAME = initial)` |
/// | `etag` | a constant `&str`, without quotes, or `none` |
///
/// Without `etag`, a response of status 200 has a tag that follows from its body, if that is the same
/// each time and has 1 to 65,536 bytes. A response with a tag has a twin of status 304, for requests
/// that name the tag.
///
/// ```
/// use onewrite::http::response;
///
/// response! {
///     /// What everybody asks for.
///     pub static HELLO = 200, { "content-type": "text/plain; charset=utf-8" }, b"Hello World"
/// }
/// assert_eq!(
///     HELLO.http1(),
///     b"HTTP/1.1 200 OK\r\n\
///       content-length: 11\r\n\
///       etag: \"c2acff69140b6868\"\r\n\
///       content-type: text/plain; charset=utf-8\r\n\
///       \r\n\
///       Hello World"
/// );
/// ```
///
/// A hole is filled by a [`Handler`](crate::http::Handler), which is asked for its number:
///
/// ```
/// use onewrite::http::{Handler, Request, response};
/// use onewrite::literal::space_padded;
///
/// response! {
///     static SENSOR = 200, { "date": [hole(DATE = "Thu, 01 Jan 1970 00:00:00 GMT")] },
///     ["{\"celsius\":", hole(CELSIUS, 3), "}"]
/// }
///
/// struct Sensor {
///     celsius: u64,
///     date: [u8; 29],
/// }
///
/// impl Handler for Sensor {
///     fn fill(&mut self, _: Request, hole: usize, bytes: &mut [u8]) {
///         match hole {
///             SENSOR::DATE => bytes.copy_from_slice(&self.date),
///             SENSOR::CELSIUS => {
///                 bytes.copy_from_slice(&space_padded::<3>(self.celsius).unwrap_or(*b" -1"));
///             }
///             _ => {}
///         }
///     }
/// }
/// assert!(SENSOR.http1().ends_with(b"{\"celsius\":000}"));
/// ```
///
/// What is wrong with a response is a build error with a sentence:
/// [`PartsError`](crate::http::PartsError) has all of them.
///
/// ```compile_fail,E0080
/// onewrite::http::response! { static SPLIT = 200, { "x-a": "b\r\nset-cookie: c" } }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __http_response {
    (
        $(#[$attribute:meta])* $visibility:vis static $name:ident = $status:expr, {
            $($fields:tt)*
        } $($rest:tt)*
    ) => {
        $crate::__http_response_field!(
            [$(#[$attribute])* [$visibility] $name [$status]] [] []
            { $($fields)* } $($rest)*
        );
    };
}

/// Takes the fields one after the other, then the body.
///
/// The lists are what stands in front, the fields so far, and the names of the holes so far.
#[doc(hidden)]
#[macro_export]
macro_rules! __http_response_field {
    (
        $head:tt [$($done:tt)*] $holes:tt
        { $field:literal: [$($pieces:tt)*] $(, $($fields:tt)*)? } $($rest:tt)*
    ) => {
        $crate::__http_response_piece!(
            { $head [$($done)*] $field { $($($fields)*)? } $($rest)* } $holes [] $($pieces)*
        );
    };
    (
        $head:tt [$($done:tt)*] $holes:tt
        { $field:literal: $value:expr $(, $($fields:tt)*)? } $($rest:tt)*
    ) => {
        $crate::__http_response_field!(
            $head
            [$($done)* $crate::http::Header::new($field, $value),]
            $holes { $($($fields)*)? } $($rest)*
        );
    };
    ($head:tt $fields:tt $holes:tt {} $(,)?) => {
        $crate::__http_response_item!($head $fields $holes [body(b"")] [.etag_of_body()]);
    };
    ($head:tt $fields:tt $holes:tt {}, etag = $($etag:tt)*) => {
        $crate::__http_response_etag!([$head $fields $holes [body(b"")]] $($etag)*);
    };
    ($head:tt $fields:tt $holes:tt {}, dynamic(max = $max:expr) $(,)?) => {
        $crate::__http_response_item!($head $fields $holes [body_dynamic($max)] [.etag_of_body()]);
    };
    ($head:tt $fields:tt $holes:tt {}, [$($pieces:tt)*] $($rest:tt)*) => {
        $crate::__http_response_piece!({ $head $fields $($rest)* } $holes [] $($pieces)*);
    };
    ($head:tt $fields:tt $holes:tt {}, $body:expr $(, etag = $($etag:tt)*)?) => {
        $crate::__http_response_etag!(
            [$head $fields $holes [body($crate::literal::Of($body).bytes())]] $($($etag)*)?
        );
    };
    ($head:tt $fields:tt $holes:tt {}, $body:expr,) => {
        $crate::__http_response_field!($head $fields $holes {}, $body);
    };
}

/// Takes the pieces of a value or of the body one after the other.
///
/// The lists are where to go on, the names of the holes so far, and the pieces so far.
#[doc(hidden)]
#[macro_export]
macro_rules! __http_response_piece {
    ($next:tt [$($holes:ident)*] [$($done:tt)*] hole($hole:ident = $initial:expr) $(, $($rest:tt)*)?) => {
        $crate::__http_response_piece!(
            $next [$($holes)* $hole]
            [$($done)* $crate::http::Piece::Hole($crate::literal::Of($initial).bytes()),]
            $($($rest)*)?
        );
    };
    ($next:tt [$($holes:ident)*] [$($done:tt)*] hole($hole:ident, $width:expr) $(, $($rest:tt)*)?) => {
        $crate::__http_response_piece!(
            $next [$($holes)* $hole]
            [$($done)* $crate::http::Piece::Hole(const { &[b'0'; $width] }),]
            $($($rest)*)?
        );
    };
    ($next:tt $holes:tt [$($done:tt)*] $piece:expr $(, $($rest:tt)*)?) => {
        $crate::__http_response_piece!(
            $next $holes
            [$($done)* $crate::http::Piece::Bytes($crate::literal::Of($piece).bytes()),]
            $($($rest)*)?
        );
    };
    ({ $head:tt [$($fields:tt)*] $field:literal $others:tt $($rest:tt)* } $holes:tt $pieces:tt) => {
        $crate::__http_response_field!(
            $head
            [$($fields)* $crate::http::Header::pieces($field, const { &$pieces }),]
            $holes $others $($rest)*
        );
    };
    ({ $head:tt $fields:tt $(,)? } $holes:tt $pieces:tt) => {
        $crate::__http_response_item!(
            $head $fields $holes [body_pieces(const { &$pieces })] [.etag_of_body()]
        );
    };
    ({ $head:tt $fields:tt, etag = $($etag:tt)* } $holes:tt $pieces:tt) => {
        $crate::__http_response_etag!([$head $fields $holes [body_pieces(const { &$pieces })]] $($etag)*);
    };
}

/// Takes what is said about the entity tag.
#[doc(hidden)]
#[macro_export]
macro_rules! __http_response_etag {
    ([$($parts:tt)*]) => {
        $crate::__http_response_item!($($parts)* [.etag_of_body()]);
    };
    ([$($parts:tt)*] none $(,)?) => {
        $crate::__http_response_item!($($parts)* []);
    };
    ([$($parts:tt)*] $etag:expr $(,)?) => {
        $crate::__http_response_item!($($parts)* [.etag($etag)]);
    };
}

/// The items of a response.
#[doc(hidden)]
#[macro_export]
macro_rules! __http_response_item {
    (
        [$(#[$attribute:meta])* [$visibility:vis] $name:ident [$status:expr]]
        [$($fields:tt)*] [$($holes:ident)*] [$($body:tt)*] [$($etag:tt)*]
    ) => {
        $(#[$attribute])*
        $visibility static $name: $crate::http::Response<'static> = {
            const __PARTS: $crate::http::Parts<'static> =
                $crate::http::Parts::new($status)
                    .headers(const { &[$($fields)*] })
                    .$($body)*
                    $($etag)*;
            const __NOT_MODIFIED: $crate::http::Parts<'static> = match __PARTS.not_modified() {
                ::core::option::Option::Some(__parts) => __parts,
                // Made, and not used.
                ::core::option::Option::None => $crate::http::Parts::new(304),
            };
            $crate::__http_statics!(__PARTS __LITERAL __BYTES __HOLES);
            $crate::__http_statics!(__NOT_MODIFIED __LITERAL_304 __BYTES_304 __HOLES_304);
            static __RESPONSE_304: $crate::http::Response<'static> =
                __LITERAL_304.response_of(&__BYTES_304, &__HOLES_304);
            let __response = __LITERAL.response_of(&__BYTES, &__HOLES);
            match __PARTS.not_modified() {
                ::core::option::Option::Some(_) => {
                    __response.with_not_modified(&__RESPONSE_304)
                }
                ::core::option::Option::None => __response,
            }
        };
        $crate::__http_holes!([$visibility] $name $($holes)*);
    };
}

/// What a program keeps of a literal: its bytes and its holes, and not where what lies in them.
#[doc(hidden)]
#[macro_export]
macro_rules! __http_statics {
    ($parts:ident $literal:ident $bytes:ident $holes:ident) => {
        const $literal: $crate::__http_literal_type!($parts) = $crate::__http_literal!($parts);
        static $bytes: [::core::primitive::u8; $parts.len()] = $literal.bytes();
        static $holes: [$crate::http::Hole; $parts.hole_count()] = $literal.holes();
    };
}

/// The bytes of some parts, or a build error that says what is wrong with them.
#[doc(hidden)]
#[macro_export]
macro_rules! __http_literal {
    ($parts:ident) => {
        match $parts.literal() {
            ::core::result::Result::Ok(__literal) => __literal,
            ::core::result::Result::Err(__error) => {
                ::core::panic!("{}", $crate::http::Sentence::of(&$parts, __error).as_str())
            }
        }
    };
}

/// The type of [`__http_literal`].
#[doc(hidden)]
#[macro_export]
macro_rules! __http_literal_type {
    ($parts:ident) => {
        $crate::http::Literal<{ $parts.len() }, { $parts.hole_count() }>
    };
}

/// The numbers of the holes, as constants of a type that has the name of the response.
#[doc(hidden)]
#[macro_export]
macro_rules! __http_holes {
    ([$visibility:vis] $name:ident) => {};
    ([$visibility:vis] $name:ident $($holes:ident)+) => {
        /// The numbers of the holes.
        #[allow(non_camel_case_types, dead_code, clippy::upper_case_acronyms)]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        $visibility enum $name {}

        #[allow(dead_code, unreachable_pub)]
        impl $name {
            $crate::__http_hole_numbers!([0] $($holes)+);
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __http_hole_numbers {
    ([$number:expr]) => {};
    ([$number:expr] $hole:ident $($holes:ident)*) => {
        /// The number of this hole.
        pub const $hole: ::core::primitive::usize = $number;
        $crate::__http_hole_numbers!([$number + 1] $($holes)*);
    };
}
