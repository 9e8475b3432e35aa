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
impl<'a> ::onewrite::bsatn::private::Bounded for Player<'a> {
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
impl<'a> ::onewrite::bsatn::private::Encode for Player<'a> {
    const MIN_SIZE: ::onewrite::bsatn::private::usize = ::onewrite::bsatn::private::sum(
        &[
            4,
            1,
            <&'a str as ::onewrite::bsatn::private::Encode>::MIN_SIZE,
            <Team as ::onewrite::bsatn::private::Encode>::MIN_SIZE,
        ],
    );
    const MAX_SIZE: ::onewrite::bsatn::private::usize = ::onewrite::bsatn::private::sum(
        &[
            4,
            1,
            <&'a str as ::onewrite::bsatn::private::Encode>::MAX_SIZE,
            <Team as ::onewrite::bsatn::private::Encode>::MAX_SIZE,
        ],
    );
    type Scratch = [::onewrite::bsatn::private::u8; {
        ::onewrite::bsatn::private::fixed(
            ::onewrite::bsatn::private::sum(
                &[
                    4,
                    1,
                    <&'static str as ::onewrite::bsatn::private::Encode>::MIN_SIZE,
                    <Team as ::onewrite::bsatn::private::Encode>::MIN_SIZE,
                ],
            ),
            ::onewrite::bsatn::private::sum(
                &[
                    4,
                    1,
                    <&'static str as ::onewrite::bsatn::private::Encode>::MAX_SIZE,
                    <Team as ::onewrite::bsatn::private::Encode>::MAX_SIZE,
                ],
            ),
        )
    }];
    #[inline]
    fn encoded_len(&self) -> ::onewrite::bsatn::private::usize {
        let Self {
            id: __onewrite_field_0,
            alive: __onewrite_field_1,
            name: __onewrite_field_2,
            team: __onewrite_field_3,
        } = self;
        ::onewrite::bsatn::private::add(
            ::onewrite::bsatn::private::with_body(
                9,
                <::onewrite::bsatn::private::str>::len((*__onewrite_field_2)),
            ),
            <Team as ::onewrite::bsatn::private::Encode>::encoded_len(
                &(*__onewrite_field_3),
            ),
        )
    }
    #[inline]
    fn put<__OnewriteOutput: ::onewrite::bsatn::private::Output>(
        &self,
        __onewrite_out: &mut __OnewriteOutput,
    ) {
        let Self {
            id: __onewrite_field_0,
            alive: __onewrite_field_1,
            name: __onewrite_field_2,
            team: __onewrite_field_3,
        } = self;
        ::onewrite::bsatn::private::Output::headed(
            __onewrite_out,
            {
                let mut __onewrite_bytes = [0; 9];
                ::onewrite::bsatn::private::put::<
                    0,
                    4,
                    9,
                >(&mut __onewrite_bytes, <u32>::to_le_bytes((*__onewrite_field_0)));
                ::onewrite::bsatn::private::put::<
                    4,
                    1,
                    9,
                >(
                    &mut __onewrite_bytes,
                    ::onewrite::bsatn::private::bool_to((*__onewrite_field_1)),
                );
                ::onewrite::bsatn::private::put::<
                    5,
                    4,
                    9,
                >(
                    &mut __onewrite_bytes,
                    ::onewrite::bsatn::private::count_bytes(
                        <::onewrite::bsatn::private::str>::len((*__onewrite_field_2)),
                    ),
                );
                __onewrite_bytes
            },
            <::onewrite::bsatn::private::str>::as_bytes((*__onewrite_field_2)),
        );
        <Team as ::onewrite::bsatn::private::Encode>::put(
            &(*__onewrite_field_3),
            __onewrite_out,
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
impl<'__onewrite: 'a, 'a> ::onewrite::bsatn::private::Decode<'__onewrite>
for Player<'a> {
    const MIN_SIZE: ::onewrite::bsatn::private::usize = ::onewrite::bsatn::private::sum(
        &[
            4,
            1,
            <&'a str as ::onewrite::bsatn::private::Decode<'__onewrite>>::MIN_SIZE,
            <Team as ::onewrite::bsatn::private::Decode<'__onewrite>>::MIN_SIZE,
        ],
    );
    const MAX_SIZE: ::onewrite::bsatn::private::usize = ::onewrite::bsatn::private::sum(
        &[
            4,
            1,
            <&'a str as ::onewrite::bsatn::private::Decode<'__onewrite>>::MAX_SIZE,
            <Team as ::onewrite::bsatn::private::Decode<'__onewrite>>::MAX_SIZE,
        ],
    );
    const ALL_VALID: ::onewrite::bsatn::private::bool = ::onewrite::bsatn::private::all(
        &[
            true,
            false,
            <&'a str as ::onewrite::bsatn::private::Decode<'__onewrite>>::ALL_VALID,
            <Team as ::onewrite::bsatn::private::Decode<'__onewrite>>::ALL_VALID,
        ],
    );
    const DEPTH: ::onewrite::bsatn::private::usize = ::onewrite::bsatn::private::add(
        1,
        ::onewrite::bsatn::private::largest(
            &[
                1,
                1,
                <&'a str as ::onewrite::bsatn::private::Decode<'__onewrite>>::DEPTH,
                <Team as ::onewrite::bsatn::private::Decode<'__onewrite>>::DEPTH,
            ],
        ),
    );
    #[inline]
    fn decode(
        __onewrite_reader: &mut ::onewrite::bsatn::private::Reader<'__onewrite>,
    ) -> ::onewrite::bsatn::private::Result<
        Self,
        ::onewrite::bsatn::private::DecodeError,
    > {
        let __onewrite_run = match ::onewrite::bsatn::private::Reader::array::<
            9,
        >(__onewrite_reader) {
            ::onewrite::bsatn::private::Ok(__onewrite_run) => __onewrite_run,
            ::onewrite::bsatn::private::Err(_) => {
                return ::onewrite::bsatn::private::Err(
                    ::onewrite::bsatn::private::cut(__onewrite_reader, &[4, 1, 4]),
                );
            }
        };
        let __onewrite_field_0: u32 = <u32>::from_le_bytes(
            ::onewrite::bsatn::private::get::<0, 4, 9>(__onewrite_run),
        );
        let __onewrite_field_1: bool = match ::onewrite::bsatn::private::bool_from(
            ::onewrite::bsatn::private::get::<4, 1, 9>(__onewrite_run),
        ) {
            ::onewrite::bsatn::private::Ok(__onewrite_value) => __onewrite_value,
            ::onewrite::bsatn::private::Err(__onewrite_error) => {
                return ::onewrite::bsatn::private::Err(
                    ::onewrite::bsatn::private::invalid_bool(
                        __onewrite_reader,
                        5,
                        __onewrite_error,
                    ),
                );
            }
        };
        let __onewrite_field_2: &'a str = match ::onewrite::bsatn::private::take_str(
            __onewrite_reader,
            ::onewrite::bsatn::private::get::<5, 4, 9>(__onewrite_run),
        ) {
            ::onewrite::bsatn::private::Ok(__onewrite_value) => __onewrite_value,
            ::onewrite::bsatn::private::Err(__onewrite_error) => {
                return ::onewrite::bsatn::private::Err(__onewrite_error);
            }
        };
        let __onewrite_field_3: Team = match <Team as ::onewrite::bsatn::private::Decode<
            '__onewrite,
        >>::decode(__onewrite_reader) {
            ::onewrite::bsatn::private::Ok(__onewrite_value) => __onewrite_value,
            ::onewrite::bsatn::private::Err(__onewrite_error) => {
                return ::onewrite::bsatn::private::Err(__onewrite_error);
            }
        };
        ::onewrite::bsatn::private::Ok(Self {
            id: __onewrite_field_0,
            alive: __onewrite_field_1,
            name: __onewrite_field_2,
            team: __onewrite_field_3,
        })
    }
}
