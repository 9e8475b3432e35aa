const _: () = ::onewrite::__private::is_record::<Point<'static>>();
const _: () = {
    ::onewrite::__private::check(
        <Path<'static>>::__ONEWRITE_PARTS_0,
        <Path<'static>>::__ONEWRITE_PADDING,
        <Path<'static>>::SIZE,
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
impl<'a> Path<'a> {
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
    /// Where the bytes of `steps` start.
    const OFFSET_STEPS: ::onewrite::__private::usize = 0;
    /// Where the bytes of `flags` start.
    const OFFSET_FLAGS: ::onewrite::__private::usize = ::onewrite::__private::after(
        Self::OFFSET_STEPS,
        (2) * <Point<'static>>::SIZE,
    );
    /// Where the bytes of `owner` start.
    const OFFSET_OWNER: ::onewrite::__private::usize = ::onewrite::__private::after(
        Self::OFFSET_FLAGS,
        (N) * (3) * 1,
    );
    const __ONEWRITE_PARTS_0: &'static [::onewrite::__private::Part] = &[
        ::onewrite::__private::Part {
            name: "steps",
            at: Self::OFFSET_STEPS,
            len: (2) * <Point<'static>>::SIZE,
        },
        ::onewrite::__private::Part {
            name: "flags",
            at: Self::OFFSET_FLAGS,
            len: (N) * (3) * 1,
        },
        ::onewrite::__private::Part {
            name: "owner",
            at: Self::OFFSET_OWNER,
            len: 0,
        },
    ];
    const __ONEWRITE_PADDING: &'static [::onewrite::__private::Part] = &[];
    /// The record's bytes.
    #[inline(always)]
    #[must_use]
    const fn to_bytes(&self) -> [::onewrite::__private::u8; { <Path<'static>>::SIZE }] {
        let mut __onewrite_bytes = [0; { <Path<'static>>::SIZE }];
        Self::write_at(self, &mut __onewrite_bytes);
        __onewrite_bytes
    }
    /// Overwrites all of the bytes with the record, padding included.
    #[inline(always)]
    const fn write_at(
        &self,
        __onewrite_out: &mut [::onewrite::__private::u8; { <Path<'static>>::SIZE }],
    ) {
        if let ::onewrite::__private::Some(__onewrite_slot) = ::onewrite::__private::slot_mut::<
            { (2) * <Point<'static>>::SIZE },
        >(__onewrite_out, Self::OFFSET_STEPS) {
            {
                let mut __onewrite_items: &[Point<'a>] = &self.steps;
                let mut __onewrite_tail: &mut [::onewrite::__private::u8] = __onewrite_slot;
                while let ::onewrite::__private::Some(
                    (__onewrite_item, __onewrite_rest),
                ) = __onewrite_items.split_first()
                {
                    let __onewrite_here = __onewrite_tail;
                    if let ::onewrite::__private::Some(
                        (__onewrite_slot, __onewrite_after),
                    ) = __onewrite_here
                        .split_first_chunk_mut::<{ <Point<'static>>::SIZE }>()
                    {
                        <Point<'a>>::write_at(&(*__onewrite_item), __onewrite_slot);
                        __onewrite_tail = __onewrite_after;
                    } else {
                        break;
                    }
                    __onewrite_items = __onewrite_rest;
                }
            }
        }
        if let ::onewrite::__private::Some(__onewrite_slot) = ::onewrite::__private::slot_mut::<
            { (N) * (3) * 1 },
        >(__onewrite_out, Self::OFFSET_FLAGS) {
            {
                let mut __onewrite_items: &[[bool; 3]] = &self.flags;
                let mut __onewrite_tail: &mut [::onewrite::__private::u8] = __onewrite_slot;
                while let ::onewrite::__private::Some(
                    (__onewrite_item, __onewrite_rest),
                ) = __onewrite_items.split_first()
                {
                    let __onewrite_here = __onewrite_tail;
                    if let ::onewrite::__private::Some(
                        (__onewrite_slot, __onewrite_after),
                    ) = __onewrite_here.split_first_chunk_mut::<{ (3) * 1 }>()
                    {
                        {
                            let mut __onewrite_items: &[bool] = &(*__onewrite_item);
                            let mut __onewrite_tail: &mut [::onewrite::__private::u8] = __onewrite_slot;
                            while let ::onewrite::__private::Some(
                                (__onewrite_item, __onewrite_rest),
                            ) = __onewrite_items.split_first()
                            {
                                let __onewrite_here = __onewrite_tail;
                                if let ::onewrite::__private::Some(
                                    (__onewrite_slot, __onewrite_after),
                                ) = __onewrite_here.split_first_chunk_mut::<{ 1 }>()
                                {
                                    *__onewrite_slot = ::onewrite::__private::bool_to(
                                        (*__onewrite_item),
                                    );
                                    __onewrite_tail = __onewrite_after;
                                } else {
                                    break;
                                }
                                __onewrite_items = __onewrite_rest;
                            }
                        }
                        __onewrite_tail = __onewrite_after;
                    } else {
                        break;
                    }
                    __onewrite_items = __onewrite_rest;
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
    const fn from_bytes(
        __onewrite_bytes: &[::onewrite::__private::u8; { <Path<'static>>::SIZE }],
    ) -> ::onewrite::__private::Result<Self, ::onewrite::__private::DecodeError> {
        ::onewrite::__private::Ok(Self {
            steps: [
                match <Point<
                    'a,
                >>::from_bytes(
                    ::onewrite::__private::slot(
                        __onewrite_bytes,
                        ::onewrite::__private::after(
                            Self::OFFSET_STEPS,
                            0 * <Point<'static>>::SIZE,
                        ),
                    ),
                ) {
                    ::onewrite::__private::Ok(__onewrite_value) => __onewrite_value,
                    ::onewrite::__private::Err(__onewrite_error) => {
                        return ::onewrite::__private::Err(
                            ::onewrite::__private::DecodeError::shifted(
                                __onewrite_error,
                                ::onewrite::__private::after(
                                    Self::OFFSET_STEPS,
                                    0 * <Point<'static>>::SIZE,
                                ),
                            ),
                        );
                    }
                },
                match <Point<
                    'a,
                >>::from_bytes(
                    ::onewrite::__private::slot(
                        __onewrite_bytes,
                        ::onewrite::__private::after(
                            Self::OFFSET_STEPS,
                            1 * <Point<'static>>::SIZE,
                        ),
                    ),
                ) {
                    ::onewrite::__private::Ok(__onewrite_value) => __onewrite_value,
                    ::onewrite::__private::Err(__onewrite_error) => {
                        return ::onewrite::__private::Err(
                            ::onewrite::__private::DecodeError::shifted(
                                __onewrite_error,
                                ::onewrite::__private::after(
                                    Self::OFFSET_STEPS,
                                    1 * <Point<'static>>::SIZE,
                                ),
                            ),
                        );
                    }
                },
            ],
            flags: {
                let mut __onewrite_items: [[bool; 3]; N] = [[false; 3]; N];
                let mut __onewrite_rest: &mut [[bool; 3]] = &mut __onewrite_items;
                let mut __onewrite_at = Self::OFFSET_FLAGS;
                while let ::onewrite::__private::Some(
                    (__onewrite_item, __onewrite_later),
                ) = { __onewrite_rest }.split_first_mut()
                {
                    *__onewrite_item = {
                        let mut __onewrite_items: [bool; 3] = [false; 3];
                        let mut __onewrite_rest: &mut [bool] = &mut __onewrite_items;
                        let mut __onewrite_at = __onewrite_at;
                        while let ::onewrite::__private::Some(
                            (__onewrite_item, __onewrite_later),
                        ) = { __onewrite_rest }.split_first_mut()
                        {
                            *__onewrite_item = match ::onewrite::__private::bool_from(
                                ::onewrite::__private::load(__onewrite_bytes, __onewrite_at),
                            ) {
                                ::onewrite::__private::Ok(__onewrite_value) => {
                                    __onewrite_value
                                }
                                ::onewrite::__private::Err(__onewrite_error) => {
                                    return ::onewrite::__private::Err(
                                        ::onewrite::__private::DecodeError::shifted(
                                            __onewrite_error,
                                            __onewrite_at,
                                        ),
                                    );
                                }
                            };
                            __onewrite_at = __onewrite_at.wrapping_add(1);
                            __onewrite_rest = __onewrite_later;
                        }
                        __onewrite_items
                    };
                    __onewrite_at = __onewrite_at.wrapping_add((3) * 1);
                    __onewrite_rest = __onewrite_later;
                }
                __onewrite_items
            },
            owner: ::onewrite::__private::PhantomData,
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
impl<'a> ::onewrite::__private::Record for Path<'a> {
    const MEMORY: ::onewrite::__private::Memory = ::onewrite::__private::Memory::of(
        Self::SIZE,
        ::onewrite::__private::size_of::<Self>(),
        &[
            ::onewrite::__private::Place {
                part: ::onewrite::__private::Part {
                    name: "steps",
                    at: Self::OFFSET_STEPS,
                    len: (2) * <Point<'static>>::SIZE,
                },
                memory: ::onewrite::__private::offset_of!(Self, steps),
                value: <Point<'a> as ::onewrite::__private::Record>::MEMORY,
            },
            ::onewrite::__private::Place {
                part: ::onewrite::__private::Part {
                    name: "flags",
                    at: Self::OFFSET_FLAGS,
                    len: (N) * (3) * 1,
                },
                memory: ::onewrite::__private::offset_of!(Self, flags),
                value: ::onewrite::__private::Memory::BYTES,
            },
            ::onewrite::__private::Place {
                part: ::onewrite::__private::Part {
                    name: "owner",
                    at: Self::OFFSET_OWNER,
                    len: 0,
                },
                memory: ::onewrite::__private::offset_of!(Self, owner),
                value: ::onewrite::__private::Memory::BYTES,
            },
        ],
    );
    type Bytes = [::onewrite::__private::u8; { <Path<'static>>::SIZE }];
    #[inline(always)]
    fn to_bytes(&self) -> [::onewrite::__private::u8; { <Path<'static>>::SIZE }] {
        Self::to_bytes(self)
    }
    #[inline(always)]
    fn write_at(
        &self,
        __onewrite_out: &mut [::onewrite::__private::u8; { <Path<'static>>::SIZE }],
    ) {
        Self::write_at(self, __onewrite_out);
    }
    #[inline]
    fn from_bytes(
        __onewrite_bytes: &[::onewrite::__private::u8; { <Path<'static>>::SIZE }],
    ) -> ::onewrite::__private::Result<Self, ::onewrite::__private::DecodeError> {
        Self::from_bytes(__onewrite_bytes)
    }
}
