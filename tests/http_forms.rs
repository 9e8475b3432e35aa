//! A response that is made at run time in one form has the bytes of that form.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

use onewrite::http::{Header, Hole, Parts, PartsError, Piece};

const HEADERS: &[Header<'_>] = &[
    Header::new("content-type", "text/plain"),
    Header::pieces("x-hole", &[Piece::Bytes(b"a"), Piece::Hole(b"000")]),
];

fn cases() -> Vec<Parts<'static>> {
    vec![
        Parts::new(200),
        Parts::new(204),
        Parts::new(503).headers(HEADERS),
        Parts::new(200).headers(HEADERS).body(b"Hello World").etag_of_body(),
        Parts::new(200).body(&[b'x'; 16_384]),
        Parts::new(200).body(&[b'x'; 16_385]),
    ]
}

#[test]
fn one_form_has_the_bytes_of_both() {
    for parts in cases() {
        let (mut bytes, mut holes) = (vec![0; 40_000], [const { Hole::NONE }; 2]);
        let both = parts.response_in(&mut bytes, &mut holes).unwrap();
        let mut one = vec![0xa5; 40_000];
        let len = parts.http1_in(&mut one).unwrap();
        assert_eq!(&one[..len], both.http1());
        assert!(one[len..].iter().all(|byte| *byte == 0xa5));
        let mut one = vec![0xa5; 40_000];
        let len = parts.http2_in(&mut one).unwrap();
        assert_eq!(&one[..len], both.http2());
        assert!(one[len..].iter().all(|byte| *byte == 0xa5));
    }
}

#[test]
fn every_shorter_room_is_too_short() {
    let parts = Parts::new(200).headers(HEADERS).body(b"Hello World");
    let (mut http1, mut http2) = ([0; 200], [0; 200]);
    let http1 = parts.http1_in(&mut http1).unwrap();
    let http2 = parts.http2_in(&mut http2).unwrap();
    for room in 0..http1 {
        let full = Err(PartsError::Full { bytes: http1, holes: 0 });
        assert_eq!(parts.http1_in(&mut vec![0; room]), full);
    }
    for room in 0..http2 {
        let full = Err(PartsError::Full { bytes: http2, holes: 0 });
        assert_eq!(parts.http2_in(&mut vec![0; room]), full);
    }
}

#[test]
fn wrong_parts_are_refused_as_elsewhere() {
    let split = [Header::new("x-a", "b\r\nc: d")];
    let split = Parts::new(200).headers(&split);
    let expected = split.response_in(&mut [0; 100], &mut []).unwrap_err();
    assert_eq!(split.http1_in(&mut [0; 100]), Err(expected));
    assert_eq!(split.http2_in(&mut [0; 100]), Err(expected));
    let dynamic = Parts::new(200).body_dynamic(10);
    assert_eq!(dynamic.http1_in(&mut [0; 100]), Err(PartsError::Dynamic));
    assert_eq!(dynamic.http2_in(&mut [0; 100]), Err(PartsError::Dynamic));
}
