//! The pages for people who come from another serializer: their examples run as tests here, where
//! both are at hand.

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/coming-from-postcard.md")]
struct ComingFromPostcard;

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/coming-from-bincode.md")]
struct ComingFromBincode;
