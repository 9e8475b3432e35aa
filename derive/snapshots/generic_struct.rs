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
impl<'a, T: Copy, const N: usize> Packet<'a, T, N>
where
    T: ::onewrite::__private::Field,
{
    /// Bytes of the encoding.
    const SIZE: ::onewrite::__private::usize = ::onewrite::__private::end_of(
        &[
            ::onewrite::__private::Part {
                name: "",
                at: 0,
                len: ::onewrite::__private::end_of(Self::__ONEWRITE_PARTS_0),
            },
            ::onewrite::__private::Part {
                name: "",
                at: 0,
                len: ::onewrite::__private::end_of(Self::__ONEWRITE_PADDING),
            },
        ],
    );
    /// Where the bytes of `id` start.
    const OFFSET_ID: ::onewrite::__private::usize = 0;
    /// Where the bytes of `tag` start.
    const OFFSET_TAG: ::onewrite::__private::usize = ::onewrite::__private::after(
        Self::OFFSET_ID,
        <u16 as ::onewrite::__private::Bounded>::MAX_SIZE,
    );
    /// Where the bytes of `data` start.
    const OFFSET_DATA: ::onewrite::__private::usize = ::onewrite::__private::after(
        Self::OFFSET_TAG,
        <T as ::onewrite::__private::Bounded>::MAX_SIZE,
    );
    /// Where the bytes of `owner` start.
    const OFFSET_OWNER: ::onewrite::__private::usize = ::onewrite::__private::after(
        Self::OFFSET_DATA,
        <[u8; N] as ::onewrite::__private::Bounded>::MAX_SIZE,
    );
    const __ONEWRITE_PARTS_0: &'static [::onewrite::__private::Part] = &[
        ::onewrite::__private::Part {
            name: "id",
            at: Self::OFFSET_ID,
            len: <u16 as ::onewrite::__private::Bounded>::MAX_SIZE,
        },
        ::onewrite::__private::Part {
            name: "tag",
            at: Self::OFFSET_TAG,
            len: <T as ::onewrite::__private::Bounded>::MAX_SIZE,
        },
        ::onewrite::__private::Part {
            name: "data",
            at: Self::OFFSET_DATA,
            len: <[u8; N] as ::onewrite::__private::Bounded>::MAX_SIZE,
        },
        ::onewrite::__private::Part {
            name: "owner",
            at: Self::OFFSET_OWNER,
            len: <PhantomData<&'a T> as ::onewrite::__private::Bounded>::MAX_SIZE,
        },
    ];
    const __ONEWRITE_PADDING: &'static [::onewrite::__private::Part] = &[];
    /// Checked for each set of arguments that is used.
    const __ONEWRITE_CHECK: () = {
        ::onewrite::__private::check(
            Self::__ONEWRITE_PARTS_0,
            Self::__ONEWRITE_PADDING,
            Self::SIZE,
            false,
        );
    };
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
impl<'a, T: Copy, const N: usize> ::onewrite::__private::Bounded for Packet<'a, T, N>
where
    T: ::onewrite::__private::Field,
{
    const MIN_SIZE: ::onewrite::__private::usize = Self::SIZE;
    const MAX_SIZE: ::onewrite::__private::usize = Self::SIZE;
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
impl<'a, T: Copy, const N: usize> ::onewrite::__private::Field for Packet<'a, T, N>
where
    T: ::onewrite::__private::Field,
{
    #[inline]
    fn put(
        &self,
        _: ::onewrite::__private::Endian,
        __onewrite_out: &mut [::onewrite::__private::u8],
    ) {
        let () = Self::__ONEWRITE_CHECK;
        let ::onewrite::__private::Some(__onewrite_out) = ::onewrite::__private::prefix_mut(
            __onewrite_out,
            Self::SIZE,
        ) else {
            return;
        };
        <u16 as ::onewrite::__private::Field>::put(
            &self.id,
            ::onewrite::__private::Endian::Little,
            ::onewrite::__private::tail_mut(__onewrite_out, Self::OFFSET_ID),
        );
        <T as ::onewrite::__private::Field>::put(
            &self.tag,
            ::onewrite::__private::Endian::Little,
            ::onewrite::__private::tail_mut(__onewrite_out, Self::OFFSET_TAG),
        );
        <[u8; N] as ::onewrite::__private::Field>::put(
            &self.data,
            ::onewrite::__private::Endian::Little,
            ::onewrite::__private::tail_mut(__onewrite_out, Self::OFFSET_DATA),
        );
    }
    #[inline]
    fn get(
        _: ::onewrite::__private::Endian,
        __onewrite_bytes: &[::onewrite::__private::u8],
    ) -> ::onewrite::__private::Result<Self, ::onewrite::__private::DecodeError> {
        let () = Self::__ONEWRITE_CHECK;
        let __onewrite_bytes = match ::onewrite::__private::prefix(
            __onewrite_bytes,
            Self::SIZE,
        ) {
            ::onewrite::__private::Ok(__onewrite_bytes) => __onewrite_bytes,
            ::onewrite::__private::Err(__onewrite_error) => {
                return ::onewrite::__private::Err(__onewrite_error);
            }
        };
        ::onewrite::__private::Ok(Self {
            id: match <u16 as ::onewrite::__private::Field>::get(
                ::onewrite::__private::Endian::Little,
                ::onewrite::__private::tail(__onewrite_bytes, Self::OFFSET_ID),
            ) {
                ::onewrite::__private::Ok(__onewrite_value) => __onewrite_value,
                ::onewrite::__private::Err(__onewrite_error) => {
                    return ::onewrite::__private::Err(
                        ::onewrite::__private::DecodeError::shifted(
                            __onewrite_error,
                            Self::OFFSET_ID,
                        ),
                    );
                }
            },
            tag: match <T as ::onewrite::__private::Field>::get(
                ::onewrite::__private::Endian::Little,
                ::onewrite::__private::tail(__onewrite_bytes, Self::OFFSET_TAG),
            ) {
                ::onewrite::__private::Ok(__onewrite_value) => __onewrite_value,
                ::onewrite::__private::Err(__onewrite_error) => {
                    return ::onewrite::__private::Err(
                        ::onewrite::__private::DecodeError::shifted(
                            __onewrite_error,
                            Self::OFFSET_TAG,
                        ),
                    );
                }
            },
            data: match <[u8; N] as ::onewrite::__private::Field>::get(
                ::onewrite::__private::Endian::Little,
                ::onewrite::__private::tail(__onewrite_bytes, Self::OFFSET_DATA),
            ) {
                ::onewrite::__private::Ok(__onewrite_value) => __onewrite_value,
                ::onewrite::__private::Err(__onewrite_error) => {
                    return ::onewrite::__private::Err(
                        ::onewrite::__private::DecodeError::shifted(
                            __onewrite_error,
                            Self::OFFSET_DATA,
                        ),
                    );
                }
            },
            owner: match <PhantomData<
                &'a T,
            > as ::onewrite::__private::Field>::get(
                ::onewrite::__private::Endian::Little,
                ::onewrite::__private::tail(__onewrite_bytes, Self::OFFSET_OWNER),
            ) {
                ::onewrite::__private::Ok(__onewrite_value) => __onewrite_value,
                ::onewrite::__private::Err(__onewrite_error) => {
                    return ::onewrite::__private::Err(
                        ::onewrite::__private::DecodeError::shifted(
                            __onewrite_error,
                            Self::OFFSET_OWNER,
                        ),
                    );
                }
            },
        })
    }
}
