//! The appendix of the RFC, and other decoders.
