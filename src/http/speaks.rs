//! Which protocols a connection can speak, by its type.

use core::fmt::Debug;

/// The protocols that a [`Conn`](crate::http::Conn) can speak: [`Both`], [`OnlyHttp1`] or [`OnlyHttp2`].
///
/// A connection that can speak only one has no memory for the other, and a program whose connections are
/// all like that does not link the other.
///
/// ```
/// use onewrite::http::{Conn, OnlyHttp1, Protocol};
///
/// let conn = Conn::<0, 0, 0, OnlyHttp1>::new(Protocol::Auto);
/// assert_eq!(conn.protocol(), Protocol::Http1);
/// assert!(size_of_val(&conn) < 256);
/// ```
pub trait Speaks: private::Speaks + Debug {}

/// HTTP/1.1, 1.0 and HTTP/2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Both {}

/// HTTP/1.1 and 1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnlyHttp1 {}

/// HTTP/2 with prior knowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnlyHttp2 {}

impl Speaks for Both {}
impl Speaks for OnlyHttp1 {}
impl Speaks for OnlyHttp2 {}

pub(super) mod private {
    #![allow(unnameable_types, reason = "so nobody implements it")]

    use core::fmt::Debug;

    use super::{Both, OnlyHttp1, OnlyHttp2};
    use crate::http::Protocol;

    /// What a connection keeps for each protocol.
    pub trait Speaks {
        /// What is spoken, if that is known.
        const ONLY: Option<Protocol>;

        type Http1<T: Begin>: Place<T>;
        type Http2<T: Begin>: Place<T>;
    }

    impl Speaks for Both {
        const ONLY: Option<Protocol> = None;

        type Http1<T: Begin> = Here<T>;
        type Http2<T: Begin> = Here<T>;
    }

    impl Speaks for OnlyHttp1 {
        const ONLY: Option<Protocol> = Some(Protocol::Http1);

        type Http1<T: Begin> = Here<T>;
        type Http2<T: Begin> = Nowhere;
    }

    impl Speaks for OnlyHttp2 {
        const ONLY: Option<Protocol> = Some(Protocol::Http2);

        type Http1<T: Begin> = Nowhere;
        type Http2<T: Begin> = Here<T>;
    }

    /// The state of a protocol when nothing was received yet.
    pub trait Begin: Debug {
        fn begin() -> Self;
    }

    /// Room for the state of a protocol, or none.
    pub trait Place<T>: Debug {
        fn begin() -> Self;

        fn get(&self) -> Option<&T>;
        fn get_mut(&mut self) -> Option<&mut T>;
    }

    #[derive(Debug)]
    pub struct Here<T>(T);

    #[derive(Debug)]
    pub struct Nowhere;

    impl<T: Begin> Place<T> for Here<T> {
        #[inline(always)]
        fn begin() -> Self {
            Self(T::begin())
        }

        #[inline(always)]
        fn get(&self) -> Option<&T> {
            Some(&self.0)
        }

        #[inline(always)]
        fn get_mut(&mut self) -> Option<&mut T> {
            Some(&mut self.0)
        }
    }

    impl<T> Place<T> for Nowhere {
        fn begin() -> Self {
            Self
        }

        #[inline(always)]
        fn get(&self) -> Option<&T> {
            None
        }

        #[inline(always)]
        fn get_mut(&mut self) -> Option<&mut T> {
            None
        }
    }
}
