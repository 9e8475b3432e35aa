//! Blazor's circuits without IO: a page in a browser that is driven from here.
//!
//! | | |
//! |---|---|
//! | [`json`] | the JSON in a client's messages, without a tree |
//! | [`event`], [`root`] | what a client says in it: events, and places in the page to be filled |
//! | [`secret`], [`ticket`] | what nobody can guess, and what lets somebody in once |
//! | [`origin`] | which pages may talk to this server |

pub mod event;
pub mod json;
pub mod origin;
pub mod root;
pub mod secret;
pub mod ticket;
