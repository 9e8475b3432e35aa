//! What a client of SpacetimeDB keeps of the tables that it subscribes to.

pub mod multi_dictionary;
