const _: () = {
    ::onewrite::__private::check(
        Reading::__ONEWRITE_PARTS_0,
        Reading::__ONEWRITE_PADDING,
        Reading::SIZE,
        false,
    );
};
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
impl Reading {
    /// Bytes of the encoding.
    pub const SIZE: ::onewrite::__private::usize = 10;
    /// Where the bytes of `sensor` start.
    pub const OFFSET_SENSOR: ::onewrite::__private::usize = 0;
    /// Where the bytes of `time` start.
    pub const OFFSET_TIME: ::onewrite::__private::usize = 4;
    /// Where the bytes of `centi` start.
    pub const OFFSET_CENTI: ::onewrite::__private::usize = ::onewrite::__private::after(
        Self::OFFSET_TIME,
        4usize,
    );
    const __ONEWRITE_PARTS_0: &'static [::onewrite::__private::Part] = &[
        ::onewrite::__private::Part {
            name: "sensor",
            at: Self::OFFSET_SENSOR,
            len: 1usize,
        },
        ::onewrite::__private::Part {
            name: "time",
            at: Self::OFFSET_TIME,
            len: 4usize,
        },
        ::onewrite::__private::Part {
            name: "centi",
            at: Self::OFFSET_CENTI,
            len: 2usize,
        },
    ];
    const __ONEWRITE_PADDING: &'static [::onewrite::__private::Part] = &[
        ::onewrite::__private::Part {
            name: "reserved",
            at: 1,
            len: ::onewrite::__private::distance(1, 4),
        },
    ];
    /// The record's bytes.
    #[inline(always)]
    #[must_use]
    pub const fn to_bytes(&self) -> [::onewrite::__private::u8; 10] {
        let mut __onewrite_bytes = [0; 10];
        Self::write_at(self, &mut __onewrite_bytes);
        __onewrite_bytes
    }
    /// Overwrites all of the bytes with the record, padding included.
    #[inline(always)]
    pub const fn write_at(&self, __onewrite_out: &mut [::onewrite::__private::u8; 10]) {
        *__onewrite_out = [0; 10];
        if let ::onewrite::__private::Some(__onewrite_slot) = ::onewrite::__private::slot_mut::<
            { 1usize },
        >(__onewrite_out, Self::OFFSET_SENSOR) {
            *__onewrite_slot = <u8>::to_le_bytes(self.sensor);
        }
        if let ::onewrite::__private::Some(__onewrite_slot) = ::onewrite::__private::slot_mut::<
            { 4usize },
        >(__onewrite_out, Self::OFFSET_TIME) {
            *__onewrite_slot = <u32>::to_le_bytes(self.time);
        }
        if let ::onewrite::__private::Some(__onewrite_slot) = ::onewrite::__private::slot_mut::<
            { 2usize },
        >(__onewrite_out, Self::OFFSET_CENTI) {
            *__onewrite_slot = <i16>::to_be_bytes(self.centi);
        }
    }
    /// The record that the bytes encode.
    ///
    /// # Errors
    ///
    /// What the field at the error's offset did wrong.
    #[inline]
    pub const fn from_bytes(
        __onewrite_bytes: &[::onewrite::__private::u8; 10],
    ) -> ::onewrite::__private::Result<Self, ::onewrite::__private::DecodeError> {
        if let ::onewrite::__private::Some(__onewrite_at) = ::onewrite::__private::stray(
            __onewrite_bytes,
            &const { ::onewrite::__private::unused::<10>(Reading::__ONEWRITE_PARTS_0) },
            &const {
                ::onewrite::__private::gaps::<
                    { Reading::__ONEWRITE_PARTS_0.len() + 1 },
                >(Reading::__ONEWRITE_PARTS_0, Reading::SIZE)
            },
        ) {
            return ::onewrite::__private::Err(
                ::onewrite::__private::bad_padding(__onewrite_at),
            );
        }
        ::onewrite::__private::Ok(Self {
            sensor: <u8>::from_le_bytes(
                ::onewrite::__private::load(__onewrite_bytes, Self::OFFSET_SENSOR),
            ),
            time: <u32>::from_le_bytes(
                ::onewrite::__private::load(__onewrite_bytes, Self::OFFSET_TIME),
            ),
            centi: <i16>::from_be_bytes(
                ::onewrite::__private::load(__onewrite_bytes, Self::OFFSET_CENTI),
            ),
        })
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
impl ::onewrite::__private::Record for Reading {
    const MEMORY: ::onewrite::__private::Memory = ::onewrite::__private::Memory::of(
        Self::SIZE,
        ::onewrite::__private::size_of::<Self>(),
        &[
            ::onewrite::__private::Place {
                part: ::onewrite::__private::Part {
                    name: "sensor",
                    at: Self::OFFSET_SENSOR,
                    len: 1usize,
                },
                memory: ::onewrite::__private::offset_of!(Self, sensor),
                value: ::onewrite::__private::Memory::number(
                    ::onewrite::__private::Endian::Little,
                    1usize,
                ),
            },
            ::onewrite::__private::Place {
                part: ::onewrite::__private::Part {
                    name: "time",
                    at: Self::OFFSET_TIME,
                    len: 4usize,
                },
                memory: ::onewrite::__private::offset_of!(Self, time),
                value: ::onewrite::__private::Memory::number(
                    ::onewrite::__private::Endian::Little,
                    4usize,
                ),
            },
            ::onewrite::__private::Place {
                part: ::onewrite::__private::Part {
                    name: "centi",
                    at: Self::OFFSET_CENTI,
                    len: 2usize,
                },
                memory: ::onewrite::__private::offset_of!(Self, centi),
                value: ::onewrite::__private::Memory::number(
                    ::onewrite::__private::Endian::Big,
                    2usize,
                ),
            },
        ],
    );
    type Bytes = [::onewrite::__private::u8; 10];
    #[inline(always)]
    fn to_bytes(&self) -> [::onewrite::__private::u8; 10] {
        Self::to_bytes(self)
    }
    #[inline(always)]
    fn write_at(&self, __onewrite_out: &mut [::onewrite::__private::u8; 10]) {
        Self::write_at(self, __onewrite_out);
    }
    #[inline]
    fn from_bytes(
        __onewrite_bytes: &[::onewrite::__private::u8; 10],
    ) -> ::onewrite::__private::Result<Self, ::onewrite::__private::DecodeError> {
        Self::from_bytes(__onewrite_bytes)
    }
}
