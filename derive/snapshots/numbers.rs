#[automatically_derived]
#[allow(
    dead_code,
    deprecated,
    unreachable_code,
    unreachable_patterns,
    unreachable_pub,
    unused_qualifications,
    unused_variables,
    clippy::all,
    clippy::pedantic,
    clippy::restriction
)]
impl Point {
    /// The value's bytes in BSATN.
    #[inline(always)]
    #[must_use]
    pub const fn to_bytes(&self) -> [::onewrite::bsatn::private::u8; 8] {
        let Self { x: __onewrite_field_0, y: __onewrite_field_1 } = self;
        {
            let mut __onewrite_bytes = [0; 8];
            ::onewrite::bsatn::private::put::<
                0,
                4,
                8,
            >(&mut __onewrite_bytes, <f32>::to_le_bytes((*__onewrite_field_0)));
            ::onewrite::bsatn::private::put::<
                4,
                4,
                8,
            >(&mut __onewrite_bytes, <f32>::to_le_bytes((*__onewrite_field_1)));
            __onewrite_bytes
        }
    }
}
#[automatically_derived]
#[allow(
    dead_code,
    deprecated,
    unreachable_code,
    unreachable_patterns,
    unreachable_pub,
    unused_qualifications,
    unused_variables,
    clippy::all,
    clippy::pedantic,
    clippy::restriction
)]
impl ::onewrite::bsatn::private::Bounded for Point {
    const MIN_SIZE: ::onewrite::bsatn::private::usize = <Self as ::onewrite::bsatn::private::Encode>::MIN_SIZE;
    const MAX_SIZE: ::onewrite::bsatn::private::usize = <Self as ::onewrite::bsatn::private::Encode>::MAX_SIZE;
}
#[automatically_derived]
#[allow(
    dead_code,
    deprecated,
    unreachable_code,
    unreachable_patterns,
    unreachable_pub,
    unused_qualifications,
    unused_variables,
    clippy::all,
    clippy::pedantic,
    clippy::restriction
)]
impl ::onewrite::bsatn::private::Encode for Point {
    const MIN_SIZE: ::onewrite::bsatn::private::usize = ::onewrite::bsatn::private::sum(
        &[4, 4],
    );
    const MAX_SIZE: ::onewrite::bsatn::private::usize = ::onewrite::bsatn::private::sum(
        &[4, 4],
    );
    type Scratch = [::onewrite::bsatn::private::u8; {
        ::onewrite::bsatn::private::fixed(
            ::onewrite::bsatn::private::sum(&[4, 4]),
            ::onewrite::bsatn::private::sum(&[4, 4]),
        )
    }];
    #[inline]
    fn encoded_len(&self) -> ::onewrite::bsatn::private::usize {
        let Self { x: __onewrite_field_0, y: __onewrite_field_1 } = self;
        8
    }
    #[inline]
    fn put<__OnewriteOutput: ::onewrite::bsatn::private::Output>(
        &self,
        __onewrite_out: &mut __OnewriteOutput,
    ) {
        let Self { x: __onewrite_field_0, y: __onewrite_field_1 } = self;
        ::onewrite::bsatn::private::Output::array(
            __onewrite_out,
            {
                let mut __onewrite_bytes = [0; 8];
                ::onewrite::bsatn::private::put::<
                    0,
                    4,
                    8,
                >(&mut __onewrite_bytes, <f32>::to_le_bytes((*__onewrite_field_0)));
                ::onewrite::bsatn::private::put::<
                    4,
                    4,
                    8,
                >(&mut __onewrite_bytes, <f32>::to_le_bytes((*__onewrite_field_1)));
                __onewrite_bytes
            },
        );
    }
}
#[automatically_derived]
#[allow(
    dead_code,
    deprecated,
    unreachable_code,
    unreachable_patterns,
    unreachable_pub,
    unused_qualifications,
    unused_variables,
    clippy::all,
    clippy::pedantic,
    clippy::restriction
)]
impl<'__onewrite> ::onewrite::bsatn::private::Decode<'__onewrite> for Point {
    const MIN_SIZE: ::onewrite::bsatn::private::usize = ::onewrite::bsatn::private::sum(
        &[4, 4],
    );
    const MAX_SIZE: ::onewrite::bsatn::private::usize = ::onewrite::bsatn::private::sum(
        &[4, 4],
    );
    const ALL_VALID: ::onewrite::bsatn::private::bool = ::onewrite::bsatn::private::all(
        &[true, true],
    );
    const DEPTH: ::onewrite::bsatn::private::usize = ::onewrite::bsatn::private::add(
        1,
        ::onewrite::bsatn::private::largest(&[1, 1]),
    );
    #[inline]
    fn decode(
        __onewrite_reader: &mut ::onewrite::bsatn::private::Reader<'__onewrite>,
    ) -> ::onewrite::bsatn::private::Result<
        Self,
        ::onewrite::bsatn::private::DecodeError,
    > {
        let __onewrite_run = match ::onewrite::bsatn::private::Reader::array::<
            8,
        >(__onewrite_reader) {
            ::onewrite::bsatn::private::Ok(__onewrite_run) => __onewrite_run,
            ::onewrite::bsatn::private::Err(_) => {
                return ::onewrite::bsatn::private::Err(
                    ::onewrite::bsatn::private::cut(__onewrite_reader, &[4, 4]),
                );
            }
        };
        let __onewrite_field_0: f32 = <f32>::from_le_bytes(
            ::onewrite::bsatn::private::get::<0, 4, 8>(__onewrite_run),
        );
        let __onewrite_field_1: f32 = <f32>::from_le_bytes(
            ::onewrite::bsatn::private::get::<4, 4, 8>(__onewrite_run),
        );
        ::onewrite::bsatn::private::Ok(Self {
            x: __onewrite_field_0,
            y: __onewrite_field_1,
        })
    }
}
