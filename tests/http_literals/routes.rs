//! Paths and their responses.

use onewrite::http::{
    Path, Response, Route, Routes, RoutesError, response, route_huffman_len, routes,
};

response! { static A = 200, {}, b"a", etag = none }
response! { static LONG = 200, {}, &[b'x'; 20_000], etag = none }
response! { static DYNAMIC = 200, {}, dynamic(max = 3_000) }
static WRITTEN: Response<'_> = Response::written(2_000);

routes! { static EMPTY = {} }
routes! {
    /// A site.
    pub(crate) static SITE = { "/" => A, "/a" => A, "/a/" => DYNAMIC, "/w" => WRITTEN, },
    not_found = A, limits = onewrite::http::Limits::DEFAULT, output = 3_042,
}

#[test]
fn a_path_is_found_as_it_is_written() {
    for (number, path) in ["/", "/a", "/a/", "/w"].into_iter().enumerate() {
        assert_eq!(SITE.number(path), Some(number));
    }
    for path in ["", "/A", "/a//", "a", "/b"] {
        assert_eq!(SITE.number(path), None);
        assert_eq!(EMPTY.number(path), None);
    }
}

#[test]
fn the_longest_response_is_known() {
    assert_eq!(SITE.max_response(), DYNAMIC.http1().len() + 3_000);
    let long = [Route::new("/", &A), Route::new("/long", &LONG)];
    assert_eq!(Routes::new(&long).unwrap().max_response(), LONG.http1().len());
    let a = [Route::new("/", &A)];
    let site = Routes::new(&a).unwrap();
    // The plain 404 is longer.
    assert_eq!(site.max_response(), onewrite::http::NOT_FOUND.http1().len());
    assert_eq!(site.not_found(&LONG).max_response(), LONG.http1().len());
    let written = [Route::new("/", &WRITTEN)];
    assert_eq!(Routes::new(&written).unwrap().max_response(), 2_000);
}

#[test]
fn a_path_is_one_that_a_request_can_have() {
    let error = |path: &str| Routes::new(&[Route::new(path, &A)]).err();
    assert_eq!(error(""), Some(RoutesError::Slash));
    assert_eq!(error("a"), Some(RoutesError::Slash));
    assert_eq!(error("*"), Some(RoutesError::Slash));
    for byte in 0..=127_u8 {
        let expected = match byte {
            b'?' => Some(RoutesError::Query),
            b'#' => Some(RoutesError::Fragment),
            0..=b' ' | 0x7f => Some(RoutesError::Byte),
            _ => None,
        };
        assert_eq!(error(&format!("/{}", char::from(byte))), expected, "{byte}");
    }
    assert_eq!(error("/naïve"), Some(RoutesError::Byte));
}

#[test]
fn a_path_is_there_once() {
    let twice = [Route::new("/a", &A), Route::new("/b", &A), Route::new("/a", &LONG)];
    assert_eq!(Routes::new(&twice).unwrap_err(), RoutesError::Twice);
    assert!(Routes::new(&twice[..2]).is_ok());

    // Far more than the bits by which most are told apart, and the one that is there twice anywhere.
    let paths: Vec<String> = (0..5_000).map(|number| format!("/path/number/{number}")).collect();
    let mut many: Vec<Route<'_>> = paths.iter().map(|path| Route::new(path, &A)).collect();
    assert!(Routes::new(&many).is_ok());
    for (first, second) in [(0, 1), (0, 4_999), (17, 2_500), (4_998, 4_999)] {
        let kept = core::mem::replace(&mut many[second], Route::new(&paths[first], &A));
        assert_eq!(Routes::new(&many).unwrap_err(), RoutesError::Twice);
        many[second] = kept;
    }
}

#[test]
fn there_are_at_most_65_000_paths() {
    let routes = vec![Route::new("/", &A); 65_001];
    assert_eq!(Routes::new(&routes).unwrap_err(), RoutesError::Count);
    assert_eq!(Routes::new(&routes[1..]).unwrap_err(), RoutesError::Twice);
}

#[test]
fn a_response_that_is_written_whole_has_a_bound() {
    for (max, refused) in [(0, true), (1, false), (65_536, false), (65_537, true)] {
        let response = Response::written(max);
        let routes = [Route::new("/", &response)];
        let expected = refused.then_some(RoutesError::Written);
        assert_eq!(Routes::new(&routes).err(), expected, "{max}");
    }
}

#[test]
fn the_huffman_string_of_a_path_has_one_length() {
    assert_eq!(route_huffman_len("/"), 1);
    assert_eq!(route_huffman_len("/data"), 4);
    assert!(Path::<'_, 4>::new("/data").is_some());
    assert!(Path::<'_, 3>::new("/data").is_none());
    assert!(Path::<'_, 5>::new("/data").is_none());
}

#[test]
fn every_error_says_what_it_is() {
    assert_eq!(RoutesError::Slash.to_string(), "a path starts with a slash");
}

/// A path that is not known at compile time has no Huffman string, and none is not an empty one.
#[test]
fn an_empty_coded_path_is_no_route() {
    use hex_literal::hex;
    use onewrite::http::{Conn, Protocol};

    let run_time = [Route::new("/", &A)];
    let site = Routes::new(&run_time).unwrap();
    let answer = |path: &[u8]| {
        let block = [&hex!("82 86 04")[..], path].concat();
        let len = u8::try_from(block.len()).unwrap();
        let input = [
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            &hex!("000000 04 00 00000000")[..],
            &[0, 0, len, 1, 5, 0, 0, 0, 1],
            &block,
        ]
        .concat();
        let mut output = [0; 1024];
        let fed = Conn::<16, 1024, 0>::new(Protocol::Http2).feed(&site, &input, &mut output);
        output[..fed.written].to_vec()
    };
    let body = [&hex!("000001 00 01 00000001")[..], b"a"].concat();
    assert!(answer(&hex!("81 63")).ends_with(&body), "coded");
    assert!(answer(&hex!("01 2f")).ends_with(&body), "plain");
    let refused = answer(&hex!("80"));
    let reset = hex!("000004 03 00 00000001 00000001"); // PROTOCOL_ERROR
    assert!(refused.windows(reset.len()).any(|frame| frame == reset), "{refused:x?}");
}
