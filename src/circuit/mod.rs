//! Blazor's circuits without IO: a page in a browser that is driven from here.
//!
//! | | |
//! |---|---|
//! | [`json`] | the JSON in a client's messages, without a tree |
//! | [`event`], [`root`] | what a client says in it: events, and places in the page to be filled |

pub mod event;
pub mod json;
pub mod root;
