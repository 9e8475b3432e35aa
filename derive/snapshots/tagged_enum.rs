const _: () = wire::__private::distinct(
    &[
        (
            "Click",
            {
                const __ONEWRITE_TAG: wire::__private::u16 = 1;
                __ONEWRITE_TAG as wire::__private::i128
            },
        ),
        (
            "Key",
            {
                const __ONEWRITE_TAG: wire::__private::u16 = 2;
                __ONEWRITE_TAG as wire::__private::i128
            },
        ),
    ],
);
const _: () = {
    wire::__private::check(Event::__ONEWRITE_PARTS_0, &[], Event::SIZE, true);
    wire::__private::check(Event::__ONEWRITE_PARTS_1, &[], Event::SIZE, true);
    wire::__private::check(Event::__ONEWRITE_PARTS_2, &[], Event::SIZE, true);
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
impl Event {
    /// Bytes of the encoding.
    pub(crate) const SIZE: wire::__private::usize = wire::__private::end_of(
        &[
            wire::__private::Part {
                name: "",
                at: 0,
                len: wire::__private::end_of(Self::__ONEWRITE_PARTS_0),
            },
            wire::__private::Part {
                name: "",
                at: 0,
                len: wire::__private::end_of(Self::__ONEWRITE_PARTS_1),
            },
            wire::__private::Part {
                name: "",
                at: 0,
                len: wire::__private::end_of(Self::__ONEWRITE_PARTS_2),
            },
        ],
    );
    /// Where the bytes of the tag start.
    pub(crate) const OFFSET_TAG: wire::__private::usize = 0;
    /// Where the bytes of `Click.x` start.
    pub(crate) const OFFSET_CLICK_X: wire::__private::usize = wire::__private::after(
        Self::OFFSET_TAG,
        2usize,
    );
    /// Where the bytes of `Click.y` start.
    pub(crate) const OFFSET_CLICK_Y: wire::__private::usize = wire::__private::after(
        Self::OFFSET_CLICK_X,
        2usize,
    );
    const __ONEWRITE_PARTS_0: &'static [wire::__private::Part] = &[
        wire::__private::Part {
            name: "tag",
            at: Self::OFFSET_TAG,
            len: 2usize,
        },
        wire::__private::Part {
            name: "Click.x",
            at: Self::OFFSET_CLICK_X,
            len: 2usize,
        },
        wire::__private::Part {
            name: "Click.y",
            at: Self::OFFSET_CLICK_Y,
            len: 2usize,
        },
    ];
    /// Where the bytes of `Key.0` start.
    pub(crate) const OFFSET_KEY_0: wire::__private::usize = 8;
    const __ONEWRITE_PARTS_1: &'static [wire::__private::Part] = &[
        wire::__private::Part {
            name: "tag",
            at: Self::OFFSET_TAG,
            len: 2usize,
        },
        wire::__private::Part {
            name: "Key.0",
            at: Self::OFFSET_KEY_0,
            len: 4usize,
        },
    ];
    const __ONEWRITE_PARTS_2: &'static [wire::__private::Part] = &[
        wire::__private::Part {
            name: "tag",
            at: Self::OFFSET_TAG,
            len: 2usize,
        },
    ];
    /// The record's bytes.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn to_bytes(&self) -> [wire::__private::u8; { Event::SIZE }] {
        let mut __onewrite_bytes = [0; { Event::SIZE }];
        Self::write_at(self, &mut __onewrite_bytes);
        __onewrite_bytes
    }
    /// Overwrites all of the bytes with the record, padding included.
    #[inline(always)]
    pub(crate) const fn write_at(
        &self,
        __onewrite_out: &mut [wire::__private::u8; { Event::SIZE }],
    ) {
        *__onewrite_out = [0; { Event::SIZE }];
        match self {
            Self::Click { x: __onewrite_field_0, y: __onewrite_field_1 } => {
                if let wire::__private::Some(__onewrite_slot) = wire::__private::slot_mut(
                    __onewrite_out,
                    Self::OFFSET_TAG,
                ) {
                    *__onewrite_slot = <wire::__private::u16>::to_be_bytes(1);
                }
                if let wire::__private::Some(__onewrite_slot) = wire::__private::slot_mut::<
                    { 2usize },
                >(__onewrite_out, Self::OFFSET_CLICK_X) {
                    *__onewrite_slot = <u16>::to_be_bytes((*__onewrite_field_0));
                }
                if let wire::__private::Some(__onewrite_slot) = wire::__private::slot_mut::<
                    { 2usize },
                >(__onewrite_out, Self::OFFSET_CLICK_Y) {
                    *__onewrite_slot = <u16>::to_be_bytes((*__onewrite_field_1));
                }
            }
            Self::Key { 0: __onewrite_field_0 } => {
                if let wire::__private::Some(__onewrite_slot) = wire::__private::slot_mut(
                    __onewrite_out,
                    Self::OFFSET_TAG,
                ) {
                    *__onewrite_slot = <wire::__private::u16>::to_be_bytes(2);
                }
                if let wire::__private::Some(__onewrite_slot) = wire::__private::slot_mut::<
                    { 4usize },
                >(__onewrite_out, Self::OFFSET_KEY_0) {
                    *__onewrite_slot = <u32>::to_be_bytes((*__onewrite_field_0));
                }
            }
            Self::Other { 0: __onewrite_tag } => {
                if let wire::__private::Some(__onewrite_slot) = wire::__private::slot_mut(
                    __onewrite_out,
                    Self::OFFSET_TAG,
                ) {
                    *__onewrite_slot = <wire::__private::u16>::to_be_bytes(
                        *__onewrite_tag,
                    );
                }
            }
        }
    }
    /// The record that the bytes encode.
    ///
    /// # Errors
    ///
    /// What the field at the error's offset did wrong.
    #[inline]
    pub(crate) const fn from_bytes(
        __onewrite_bytes: &[wire::__private::u8; { Event::SIZE }],
    ) -> wire::__private::Result<Self, wire::__private::DecodeError> {
        const __ONEWRITE_TAG_0: wire::__private::u16 = 1;
        const __ONEWRITE_TAG_1: wire::__private::u16 = 2;
        let __onewrite_tag: wire::__private::u16 = <wire::__private::u16>::from_be_bytes(
            wire::__private::load(__onewrite_bytes, Self::OFFSET_TAG),
        );
        match __onewrite_tag {
            __ONEWRITE_TAG_0 => {
                if let wire::__private::Some(__onewrite_at) = wire::__private::stray(
                    __onewrite_bytes,
                    &const {
                        wire::__private::unused::<
                            { Event::SIZE },
                        >(Event::__ONEWRITE_PARTS_0)
                    },
                    &const {
                        wire::__private::gaps::<
                            { Event::__ONEWRITE_PARTS_0.len() + 1 },
                        >(Event::__ONEWRITE_PARTS_0, Event::SIZE)
                    },
                ) {
                    return wire::__private::Err(
                        wire::__private::unused_not_zero(__onewrite_at),
                    );
                }
                wire::__private::Ok(Self::Click {
                    x: <u16>::from_be_bytes(
                        wire::__private::load(__onewrite_bytes, Self::OFFSET_CLICK_X),
                    ),
                    y: <u16>::from_be_bytes(
                        wire::__private::load(__onewrite_bytes, Self::OFFSET_CLICK_Y),
                    ),
                })
            }
            __ONEWRITE_TAG_1 => {
                if let wire::__private::Some(__onewrite_at) = wire::__private::stray(
                    __onewrite_bytes,
                    &const {
                        wire::__private::unused::<
                            { Event::SIZE },
                        >(Event::__ONEWRITE_PARTS_1)
                    },
                    &const {
                        wire::__private::gaps::<
                            { Event::__ONEWRITE_PARTS_1.len() + 1 },
                        >(Event::__ONEWRITE_PARTS_1, Event::SIZE)
                    },
                ) {
                    return wire::__private::Err(
                        wire::__private::unused_not_zero(__onewrite_at),
                    );
                }
                wire::__private::Ok(Self::Key {
                    0: <u32>::from_be_bytes(
                        wire::__private::load(__onewrite_bytes, Self::OFFSET_KEY_0),
                    ),
                })
            }
            _ => {
                if let wire::__private::Some(__onewrite_at) = wire::__private::stray(
                    __onewrite_bytes,
                    &const {
                        wire::__private::unused::<
                            { Event::SIZE },
                        >(Event::__ONEWRITE_PARTS_2)
                    },
                    &const {
                        wire::__private::gaps::<
                            { Event::__ONEWRITE_PARTS_2.len() + 1 },
                        >(Event::__ONEWRITE_PARTS_2, Event::SIZE)
                    },
                ) {
                    return wire::__private::Err(
                        wire::__private::unused_not_zero(__onewrite_at),
                    );
                }
                wire::__private::Ok(Self::Other { 0: __onewrite_tag })
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
impl wire::__private::Record for Event {
    const MEMORY: wire::__private::Memory = wire::__private::Memory::unlike(
        "is an enum that has more than a number by `= N` for each variant, of the integer in its `repr`",
    );
    type Bytes = [wire::__private::u8; { Event::SIZE }];
    #[inline(always)]
    fn to_bytes(&self) -> [wire::__private::u8; { Event::SIZE }] {
        Self::to_bytes(self)
    }
    #[inline(always)]
    fn write_at(&self, __onewrite_out: &mut [wire::__private::u8; { Event::SIZE }]) {
        Self::write_at(self, __onewrite_out);
    }
    #[inline]
    fn from_bytes(
        __onewrite_bytes: &[wire::__private::u8; { Event::SIZE }],
    ) -> wire::__private::Result<Self, wire::__private::DecodeError> {
        Self::from_bytes(__onewrite_bytes)
    }
}
