//! Blazor's circuits without IO: a page in a browser that is driven from here.
//!
//! | | |
//! |---|---|
//! | [`hub`], [`message_pack`] | messages, both directions, and what they are made of |
//! | [`json`] | the JSON in a client's messages, without a tree |
//! | [`event`], [`root`] | what a client says in it: events, and places in the page to be filled |
//! | [`secret`], [`ticket`] | what nobody can guess, and what lets somebody in once |
//! | [`origin`] | which pages may talk to this server |

pub mod event;
pub mod hub;
pub mod json;
pub mod message_pack;
pub mod origin;
pub mod root;
pub mod secret;
pub mod ticket;
