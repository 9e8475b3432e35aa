//! Literals with holes.

use core::fmt;

/// A value that does not fit its hole in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HoleError {
    /// The name of the hole.
    pub hole: &'static str,
    /// The width of the hole in bytes.
    pub width: usize,
}

impl fmt::Display for HoleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value does not fit the {} digits of the hole `{}`", self.width, self.hole)
    }
}

impl core::error::Error for HoleError {}

/// Makes a record from literal parts with fixed-width holes between them.
///
/// Parts without a name are those of [`literal!`](crate::literal!). A part with a name is a hole:
///
/// | hole | width | filled with | refuses |
/// |---|---|---|---|
/// | `name: dec(3)` | 3 | a `u64` in decimal, zeros in front; 1 to 20 digits | more digits |
/// | `name: dec(3, space)` | 3 | the same with spaces in front | more digits |
/// | `name: hex(8)` | 8 | a `u64` in lower-case hex, zeros in front; 1 to 16 digits | more digits |
/// | `name: le(u32)`, `name: be(u32)` | 4 | a number of that type in that byte order | nothing |
/// | `name: bytes(6)` | 6 | a `[u8; 6]` | nothing |
///
/// Positions and widths are computed and checked at compile time. `template!(NAME = …)` makes a
/// type and its one value of that name, with what it needs to be written:
///
/// | item | is |
/// |---|---|
/// | `NAME::LEN` | the number of bytes |
/// | `NAME::BYTES` | the bytes, with zeros in the holes |
/// | `NAME.fill(a, b)` | all bytes, the holes filled in their order; `const` |
/// | `NAME.fill_array(&mut array, a, b)` | the same, written in place; `const` |
/// | `NAME.fill_slice(&mut slice, a, b)` | the same at the start of a slice, and its length |
/// | `NAME.write_to(&mut sink, a, b)` | the same into a sink, in place where the sink lends |
///
/// A value that does not fit is a [`HoleError`] with the hole's name, and then nothing has been
/// written. Attributes and a visibility may stand in front of the name.
///
/// ```
/// use onewrite::literal::HoleError;
/// use onewrite::template;
///
/// template!(
///     /// The head of a response.
///     pub HEAD = "HTTP/1.1 200 OK\r\ncontent-length: ", len: dec(3), "\r\n\r\n"
/// );
///
/// const HELLO: Result<[u8; HEAD::LEN], HoleError> = HEAD.fill(11);
/// assert_eq!(HELLO, Ok(*b"HTTP/1.1 200 OK\r\ncontent-length: 011\r\n\r\n"));
/// assert_eq!(HEAD.fill(1_000), Err(HoleError { hole: "len", width: 3 }));
/// ```
///
/// Machine code: [`template_fill`](crate::machine_code::template_fill).
///
/// A width that no number has does not build:
///
/// ```compile_fail,E0080
/// onewrite::template!(WIDE = "n=", n: dec(21));
/// ```
///
/// ```compile_fail,E0080
/// onewrite::template!(NARROW = "n=", n: hex(0));
/// ```
///
/// Nor does a value of the wrong size, or of another length than the template:
///
/// ```compile_fail,E0308
/// onewrite::template!(MAC = "mac=", mac: bytes(6));
/// let _ = MAC.fill([0; 5]);
/// ```
///
/// ```compile_fail,E0308
/// onewrite::template!(COUNT = "n=", n: dec(2));
/// let mut record = [0; 3];
/// let _ = COUNT.fill_array(&mut record, 1);
/// ```
#[macro_export]
macro_rules! template {
    ($(#[$attribute:meta])* $visibility:vis $name:ident = $($parts:tt)*) => {
        $crate::__template!(
            [$(#[$attribute])* $visibility $name] [] [] $($parts)*
        );
    };
}

// What these macros name in the caller's scope starts with two underscores: a binding or a
// parameter without them would turn into a pattern where the caller has a constant of that name.

/// Sorts the parts of a template into bytes and holes, then makes its items.
///
/// The second list is all parts so far as slices; the third the holes, each with its kind, its
/// offset (the length of the slices in front of it), its width and its type.
#[doc(hidden)]
#[macro_export]
macro_rules! __template {
    (
        [$($head:tt)*] [$($bytes:expr,)*] [$($holes:tt)*]
        $hole:ident: dec($width:expr) $(, $($rest:tt)*)?
    ) => {
        $crate::__template!([$($head)*] [$($bytes,)* &[0; $width],] [$($holes)* {
            $hole digits zero_padded [$($bytes,)*] [$width] ::core::primitive::u64
        }] $($($rest)*)?);
    };
    (
        [$($head:tt)*] [$($bytes:expr,)*] [$($holes:tt)*]
        $hole:ident: dec($width:expr, space) $(, $($rest:tt)*)?
    ) => {
        $crate::__template!([$($head)*] [$($bytes,)* &[0; $width],] [$($holes)* {
            $hole digits space_padded [$($bytes,)*] [$width] ::core::primitive::u64
        }] $($($rest)*)?);
    };
    (
        [$($head:tt)*] [$($bytes:expr,)*] [$($holes:tt)*]
        $hole:ident: hex($width:expr) $(, $($rest:tt)*)?
    ) => {
        $crate::__template!([$($head)*] [$($bytes,)* &[0; $width],] [$($holes)* {
            $hole digits hex [$($bytes,)*] [$width] ::core::primitive::u64
        }] $($($rest)*)?);
    };
    (
        [$($head:tt)*] [$($bytes:expr,)*] [$($holes:tt)*]
        $hole:ident: le($type:ty) $(, $($rest:tt)*)?
    ) => {
        $crate::__template!([$($head)*] [
            $($bytes,)* &[0; ::core::mem::size_of::<$type>()],
        ] [$($holes)* {
            $hole number Le [$($bytes,)*] [::core::mem::size_of::<$type>()] $type
        }] $($($rest)*)?);
    };
    (
        [$($head:tt)*] [$($bytes:expr,)*] [$($holes:tt)*]
        $hole:ident: be($type:ty) $(, $($rest:tt)*)?
    ) => {
        $crate::__template!([$($head)*] [
            $($bytes,)* &[0; ::core::mem::size_of::<$type>()],
        ] [$($holes)* {
            $hole number Be [$($bytes,)*] [::core::mem::size_of::<$type>()] $type
        }] $($($rest)*)?);
    };
    (
        [$($head:tt)*] [$($bytes:expr,)*] [$($holes:tt)*]
        $hole:ident: bytes($width:expr) $(, $($rest:tt)*)?
    ) => {
        $crate::__template!([$($head)*] [$($bytes,)* &[0; $width],] [$($holes)* {
            $hole bytes bytes [$($bytes,)*] [$width] [::core::primitive::u8; $width]
        }] $($($rest)*)?);
    };
    (
        [$($head:tt)*] [$($bytes:expr,)*] [$($holes:tt)*]
        $kind:ident($value:expr) $(, $($rest:tt)*)?
    ) => {
        $crate::__template!(
            [$($head)*] [$($bytes,)* $crate::__literal_part!($kind($value)),] [$($holes)*]
            $($($rest)*)?
        );
    };
    ([$($head:tt)*] [$($bytes:expr,)*] [$($holes:tt)*] $part:expr $(, $($rest:tt)*)?) => {
        $crate::__template!(
            [$($head)*] [$($bytes,)* $crate::literal::Of($part).bytes(),] [$($holes)*]
            $($($rest)*)?
        );
    };
    (
        [$(#[$attribute:meta])* $visibility:vis $name:ident] [$($bytes:expr,)*]
        [$({ $hole:ident $kind:ident $how:ident [$($front:expr,)*] [$width:expr] $type:ty })*]
    ) => {
        $(#[$attribute])*
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        $visibility struct $name;

        // Checked here, as what a function asserts is only checked where it is called.
        $($crate::__hole_width!($how $width);)*
        const _: ::core::primitive::usize = $name::LEN;

        #[allow(dead_code, unreachable_pub, clippy::too_many_arguments)]
        impl $name {
            /// The number of bytes.
            pub const LEN: ::core::primitive::usize =
                $crate::literal::total_len(&[$($bytes),*]);

            /// The bytes, with zeros in the holes.
            pub const BYTES: [::core::primitive::u8; Self::LEN] =
                *$crate::__literal!([$($bytes,)*]);

            /// All bytes, with the holes filled.
            ///
            /// # Errors
            ///
            /// The first hole that its value does not fit.
            #[inline]
            pub const fn fill(
                self, $($hole: $type),*
            ) -> ::core::result::Result<
                [::core::primitive::u8; Self::LEN],
                $crate::literal::HoleError,
            > {
                let mut __record = [0; Self::LEN];
                match self.fill_array(&mut __record, $($hole),*) {
                    ::core::result::Result::Ok(()) => ::core::result::Result::Ok(__record),
                    ::core::result::Result::Err(__error) => ::core::result::Result::Err(__error),
                }
            }

            /// Overwrites `record` with all bytes, with the holes filled.
            ///
            /// # Errors
            ///
            /// The first hole that its value does not fit; `record` is as it was.
            #[inline]
            pub const fn fill_array(
                self, __record: &mut [::core::primitive::u8; Self::LEN], $($hole: $type),*
            ) -> ::core::result::Result<(), $crate::literal::HoleError> {
                $(let $hole = $crate::__hole!(
                    $kind $how $hole [$width] __error => return ::core::result::Result::Err(__error)
                );)*
                Self::__place(__record, $($hole),*);
                ::core::result::Result::Ok(())
            }

            /// Overwrites the start of `slice` with all bytes, with the holes filled, and returns
            /// their number.
            ///
            /// # Errors
            ///
            /// `Encode` with the first hole that its value does not fit, `Full` if `slice` is too
            /// short; `slice` is as it was.
            #[inline]
            pub const fn fill_slice(
                self, __slice: &mut [::core::primitive::u8], $($hole: $type),*
            ) -> ::core::result::Result<
                ::core::primitive::usize,
                $crate::error::WriteError<::core::convert::Infallible, $crate::literal::HoleError>,
            > {
                let __available = __slice.len();
                let __kind = match __slice.first_chunk_mut() {
                    ::core::option::Option::Some(__record) => {
                        match self.fill_array(__record, $($hole),*) {
                            ::core::result::Result::Ok(()) => {
                                return ::core::result::Result::Ok(Self::LEN);
                            }
                            ::core::result::Result::Err(__error) => {
                                $crate::error::WriteErrorKind::Encode(__error)
                            }
                        }
                    }
                    ::core::option::Option::None => {
                        $crate::error::WriteErrorKind::Full {
                            needed: Self::LEN,
                            available: __available,
                        }
                    }
                };
                ::core::result::Result::Err($crate::error::WriteError::new(0, __kind))
            }

            /// Writes all bytes, with the holes filled, to `sink`: straight into the memory that it
            /// lends, else in one write.
            ///
            /// # Errors
            ///
            /// `Encode` with the first hole that its value does not fit, before anything is
            /// written, with a `written` of zero; otherwise as the sink says.
            #[inline]
            pub fn write_to<__Sink: $crate::sink::Sink + ?::core::marker::Sized>(
                self, __sink: &mut __Sink, $($hole: $type),*
            ) -> ::core::result::Result<
                (),
                $crate::error::WriteError<__Sink::Error, $crate::literal::HoleError>,
            > {
                $(let $hole = $crate::__hole!(
                    $kind $how $hole [$width] __error => {
                        return ::core::result::Result::Err($crate::error::WriteError::new(
                            0, $crate::error::WriteErrorKind::Encode(__error),
                        ));
                    }
                );)*
                let __written = match $crate::sink::SinkExt::record(__sink) {
                    ::core::result::Result::Ok(::core::option::Option::Some(__record)) => {
                        Self::__place(__record, $($hole),*);
                        ::core::result::Result::Ok(())
                    }
                    ::core::result::Result::Ok(::core::option::Option::None) => {
                        let mut __record = [0; Self::LEN];
                        Self::__place(&mut __record, $($hole),*);
                        $crate::sink::Sink::write(__sink, &__record)
                    }
                    ::core::result::Result::Err(__error) => {
                        ::core::result::Result::Err(__error)
                    }
                };
                match __written {
                    ::core::result::Result::Ok(()) => ::core::result::Result::Ok(()),
                    ::core::result::Result::Err(__error) => {
                        ::core::result::Result::Err(__error.widen())
                    }
                }
            }

            /// Overwrites `record` with all bytes, the holes with what fits them.
            #[inline(always)]
            const fn __place(
                __record: &mut [::core::primitive::u8; Self::LEN],
                $($hole: [::core::primitive::u8; $width]),*
            ) {
                *__record = Self::BYTES;
                $($crate::record::put::<
                    { $crate::literal::total_len(&[$($front),*]) }, { $width }, { Self::LEN }
                >(__record, $hole);)*
            }
        }
    };
}

/// Refuses a width that the digits of a hole cannot have.
#[doc(hidden)]
#[macro_export]
macro_rules! __hole_width {
    (hex $width:expr) => {
        const _: () = ::core::assert!(
            1 <= $width && $width <= 16,
            "a hexadecimal hole is 1 to 16 digits wide"
        );
    };
    (zero_padded $width:expr) => {
        const _: () = ::core::assert!(
            1 <= $width && $width <= 20,
            "a decimal hole is 1 to 20 digits wide"
        );
    };
    (space_padded $width:expr) => {
        $crate::__hole_width!(zero_padded $width);
    };
    ($other:ident $width:expr) => {};
}

/// The bytes of one hole, or what is done with the error.
#[doc(hidden)]
#[macro_export]
macro_rules! __hole {
    (digits $how:ident $hole:ident [$width:expr] $error:ident => $otherwise:expr) => {
        match $crate::literal::$how::<{ $width }>($hole) {
            ::core::option::Option::Some(__digits) => __digits,
            ::core::option::Option::None => {
                let $error =
                    $crate::literal::HoleError { hole: ::core::stringify!($hole), width: $width };
                $otherwise
            }
        }
    };
    (number $how:ident $hole:ident [$width:expr] $error:ident => $otherwise:expr) => {
        $crate::literal::$how($hole).bytes()
    };
    (bytes $how:ident $hole:ident [$width:expr] $error:ident => $otherwise:expr) => {
        $hole
    };
}
