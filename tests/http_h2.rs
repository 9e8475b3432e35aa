//! HTTP/2: frames in, frames out.
#![cfg(not(target_os = "none"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]
#![allow(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "http_h2/cases.rs"]
mod cases;
#[path = "http_h2/frames.rs"]
mod frames;
mod http_talk;
#[path = "http_h2/mutation.rs"]
mod mutation;
#[path = "http_h2/shell.rs"]
mod shell;
#[path = "http_h2/vectors.rs"]
mod vectors;

/// The cases of h2spec that it has for HTTP/2 servers.
#[test]
fn h2spec() {
    let vectors = vectors::read(include_str!("data/http/h2/h2spec.txt"));
    assert_eq!(vectors.len(), 147);
    vectors.iter().for_each(vectors::check);
}

/// What else RFC 9113 and RFC 9110 ask for.
#[test]
fn rules() {
    let vectors = vectors::read(include_str!("data/http/h2/rules.txt"));
    assert!(vectors.len() > 50);
    vectors.iter().for_each(vectors::check);
}
