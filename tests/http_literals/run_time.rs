//! The same bytes, made at run time in memory of the caller's.

use onewrite::http::{Header, Hole, Literal, Parts, PartsError, Piece, Response};

const HEADERS: &[Header<'_>] = &[
    Header::new("content-type", "text/plain"),
    Header::pieces("date", &[Piece::Hole(b"Thu, 01 Jan 1970 00:00:00 GMT")]),
];
const PARTS: Parts<'_> = Parts::new(200).headers(HEADERS).body_pieces(&[
    Piece::Bytes(b"n="),
    Piece::Hole(b"000"),
    Piece::Bytes(b"\n"),
]);
static LITERAL: Literal<{ PARTS.len() }, { PARTS.hole_count() }> = match PARTS.literal() {
    Ok(literal) => literal,
    Err(error) => panic!("{}", error.message()),
};
static RESPONSE: Response<'_> = LITERAL.response();

#[test]
fn it_is_what_the_compiler_makes() {
    assert_eq!(PARTS.hole_count(), 2);
    let mut bytes = vec![0xa5; PARTS.len() + 7];
    let mut holes = [Hole::NONE; 3];
    let response = PARTS.response_in(&mut bytes, &mut holes).unwrap();
    assert_eq!(response.http1(), RESPONSE.http1());
    assert_eq!(response.http2(), RESPONSE.http2());
    // Offsets as well, which only the library sees.
    assert_eq!(format!("{response:?}"), format!("{RESPONSE:?}"));
    assert_eq!(response.http1().len() + response.http2().len(), PARTS.len());
    assert_eq!(bytes[PARTS.len()..], [0xa5; 7]);
}

#[test]
fn one_form_alone_is_the_same() {
    let (mut http1, mut http2) = ([0xa5; 512], [0xa5; 512]);
    let len = PARTS.http1_in(&mut http1).unwrap();
    assert_eq!(http1[..len], *RESPONSE.http1());
    assert_eq!(http1[len..], [0xa5; 512][len..]);
    let len = PARTS.http2_in(&mut http2).unwrap();
    assert_eq!(http2[..len], *RESPONSE.http2());
    assert_eq!(http2[len..], [0xa5; 512][len..]);

    let parts = Parts::new(404).body(b"no");
    for (needed, form) in [
        (parts.http1_in(&mut http1).unwrap(), Parts::http1_in as fn(&_, &mut _) -> _),
        (parts.http2_in(&mut http2).unwrap(), Parts::http2_in),
    ] {
        for len in 0..needed {
            let full = PartsError::Full { bytes: needed, holes: 0 };
            assert_eq!(form(&parts, &mut http1[..len]), Err(full));
        }
        assert_eq!(form(&parts, &mut http1[..needed]), Ok(needed));
        assert_eq!(form(&Parts::new(99), &mut http1), Err(PartsError::Status));
        // Only a `Response` says where the length goes.
        let dynamic = Parts::new(200).body_dynamic(9);
        assert_eq!(form(&dynamic, &mut http1), Err(PartsError::Dynamic));
    }
}

#[test]
fn what_is_too_short_says_how_much_it_takes() {
    let full = PartsError::Full { bytes: PARTS.len(), holes: 2 };
    for len in 0..PARTS.len() {
        let error = PARTS.response_in(&mut vec![0; len], &mut [Hole::NONE; 2]).unwrap_err();
        assert_eq!(error, full);
    }
    for count in 0..2 {
        let mut bytes = vec![0; PARTS.len()];
        let error = PARTS.response_in(&mut bytes, &mut vec![Hole::NONE; count]).unwrap_err();
        assert_eq!(error, full);
    }
}

#[test]
fn a_literal_has_its_length_and_no_other() {
    assert!(PARTS.literal::<{ PARTS.len() }, 2>().is_ok());
    let full = PartsError::Full { bytes: PARTS.len(), holes: 2 };
    assert_eq!(PARTS.literal::<{ PARTS.len() - 1 }, 2>().unwrap_err(), full);
    assert_eq!(PARTS.literal::<{ PARTS.len() + 1 }, 2>().unwrap_err(), full);
    assert_eq!(PARTS.literal::<{ PARTS.len() }, 1>().unwrap_err(), full);
    assert_eq!(PARTS.literal::<{ PARTS.len() }, 3>().unwrap_err(), full);
}

#[test]
fn what_is_refused_says_so_before_memory_is_looked_at() {
    let headers = [Header::new("x-a", "a\nb")];
    let parts = Parts::new(200).headers(&headers);
    assert_eq!(parts.response_in(&mut [], &mut []).unwrap_err(), PartsError::Control);
    assert_eq!(parts.literal::<0, 0>().unwrap_err(), PartsError::Control);
}
