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
impl<T: Copy> wire::bsatn::private::Bounded for Event<T>
where
    T: wire::bsatn::private::Encode,
{
    const MIN_SIZE: wire::bsatn::private::usize = <Self as wire::bsatn::private::Encode>::MIN_SIZE;
    const MAX_SIZE: wire::bsatn::private::usize = <Self as wire::bsatn::private::Encode>::MAX_SIZE;
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
impl<T: Copy> wire::bsatn::private::Encode for Event<T>
where
    T: wire::bsatn::private::Encode,
{
    const MIN_SIZE: wire::bsatn::private::usize = wire::bsatn::private::add(
        1,
        wire::bsatn::private::smallest(
            &[
                wire::bsatn::private::sum(
                    &[<T as wire::bsatn::private::Encode>::MIN_SIZE, 1],
                ),
                wire::bsatn::private::sum(&[]),
            ],
        ),
    );
    const MAX_SIZE: wire::bsatn::private::usize = wire::bsatn::private::add(
        1,
        wire::bsatn::private::largest(
            &[
                wire::bsatn::private::sum(
                    &[<T as wire::bsatn::private::Encode>::MAX_SIZE, 1],
                ),
                wire::bsatn::private::sum(&[]),
            ],
        ),
    );
    type Scratch = [wire::bsatn::private::u8; 0];
    #[inline]
    fn encoded_len(&self) -> wire::bsatn::private::usize {
        match self {
            Self::Joined { 0: __onewrite_field_0, 1: __onewrite_field_1 } => {
                wire::bsatn::private::add(
                    2,
                    <T as wire::bsatn::private::Encode>::encoded_len(
                        &(*__onewrite_field_0),
                    ),
                )
            }
            Self::Closed {} => 1,
        }
    }
    #[inline]
    fn put<__OnewriteOutput: wire::bsatn::private::Output>(
        &self,
        __onewrite_out: &mut __OnewriteOutput,
    ) {
        match self {
            Self::Joined { 0: __onewrite_field_0, 1: __onewrite_field_1 } => {
                wire::bsatn::private::Output::array(
                    __onewrite_out,
                    {
                        let mut __onewrite_bytes = [0; 1];
                        wire::bsatn::private::put::<0, 1, 1>(&mut __onewrite_bytes, [0]);
                        __onewrite_bytes
                    },
                );
                <T as wire::bsatn::private::Encode>::put(
                    &(*__onewrite_field_0),
                    __onewrite_out,
                );
                wire::bsatn::private::Output::array(
                    __onewrite_out,
                    {
                        let mut __onewrite_bytes = [0; 1];
                        wire::bsatn::private::put::<
                            0,
                            1,
                            1,
                        >(
                            &mut __onewrite_bytes,
                            <u8>::to_le_bytes((*__onewrite_field_1)),
                        );
                        __onewrite_bytes
                    },
                );
            }
            Self::Closed {} => {
                wire::bsatn::private::Output::array(
                    __onewrite_out,
                    {
                        let mut __onewrite_bytes = [0; 1];
                        wire::bsatn::private::put::<0, 1, 1>(&mut __onewrite_bytes, [1]);
                        __onewrite_bytes
                    },
                );
            }
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
impl<'__onewrite, T: Copy> wire::bsatn::private::Decode<'__onewrite> for Event<T>
where
    T: wire::bsatn::private::Decode<'__onewrite>,
{
    const MIN_SIZE: wire::bsatn::private::usize = wire::bsatn::private::add(
        1,
        wire::bsatn::private::smallest(
            &[
                wire::bsatn::private::sum(
                    &[<T as wire::bsatn::private::Decode<'__onewrite>>::MIN_SIZE, 1],
                ),
                wire::bsatn::private::sum(&[]),
            ],
        ),
    );
    const MAX_SIZE: wire::bsatn::private::usize = wire::bsatn::private::add(
        1,
        wire::bsatn::private::largest(
            &[
                wire::bsatn::private::sum(
                    &[<T as wire::bsatn::private::Decode<'__onewrite>>::MAX_SIZE, 1],
                ),
                wire::bsatn::private::sum(&[]),
            ],
        ),
    );
    const ALL_VALID: wire::bsatn::private::bool = false;
    const DEPTH: wire::bsatn::private::usize = wire::bsatn::private::add(
        1,
        wire::bsatn::private::largest(
            &[<T as wire::bsatn::private::Decode<'__onewrite>>::DEPTH, 1],
        ),
    );
    #[inline]
    fn decode(
        __onewrite_reader: &mut wire::bsatn::private::Reader<'__onewrite>,
    ) -> wire::bsatn::private::Result<Self, wire::bsatn::private::DecodeError> {
        let __onewrite_tag: wire::bsatn::private::u8 = match wire::bsatn::private::Reader::u8(
            __onewrite_reader,
        ) {
            wire::bsatn::private::Ok(__onewrite_value) => __onewrite_value,
            wire::bsatn::private::Err(__onewrite_error) => {
                return wire::bsatn::private::Err(__onewrite_error);
            }
        };
        match __onewrite_tag {
            0 => {
                let __onewrite_field_0: T = match <T as wire::bsatn::private::Decode<
                    '__onewrite,
                >>::decode(__onewrite_reader) {
                    wire::bsatn::private::Ok(__onewrite_value) => __onewrite_value,
                    wire::bsatn::private::Err(__onewrite_error) => {
                        return wire::bsatn::private::Err(__onewrite_error);
                    }
                };
                let __onewrite_run = match wire::bsatn::private::Reader::array::<
                    1,
                >(__onewrite_reader) {
                    wire::bsatn::private::Ok(__onewrite_run) => __onewrite_run,
                    wire::bsatn::private::Err(_) => {
                        return wire::bsatn::private::Err(
                            wire::bsatn::private::cut(__onewrite_reader, &[1]),
                        );
                    }
                };
                let __onewrite_field_1: u8 = <u8>::from_le_bytes(
                    wire::bsatn::private::get::<0, 1, 1>(__onewrite_run),
                );
                wire::bsatn::private::Ok(Self::Joined {
                    0: __onewrite_field_0,
                    1: __onewrite_field_1,
                })
            }
            1 => wire::bsatn::private::Ok(Self::Closed {}),
            _ => {
                wire::bsatn::private::Err(
                    wire::bsatn::private::unknown_tag(
                        __onewrite_reader,
                        "Event",
                        __onewrite_tag,
                    ),
                )
            }
        }
    }
}
