//! Derive macros of the onewrite serializer.
