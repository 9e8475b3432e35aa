//! Origins: one, byte for byte.

use onewrite::circuit::origin::{Origin, Unwelcome};

const HERE: Origin<'_> = Origin::new("http://127.0.0.1:8080").unwrap();

#[test]
fn an_origin_is_as_browsers_write_it() {
    for (text, host) in [
        ("http://127.0.0.1:8080", "127.0.0.1:8080"),
        ("https://pi.local", "pi.local"),
        ("http://pi_4-a.local:443", "pi_4-a.local:443"),
        ("https://[2001:db8::1]", "[2001:db8::1]"),
        ("http://[::1]:65535", "[::1]:65535"),
        ("http://a:1", "a:1"),
    ] {
        let origin = Origin::new(text).unwrap();
        assert_eq!((origin.as_str(), origin.host()), (text, host));
    }
    for text in [
        "",
        "null",
        "pi.local",
        "http:/pi.local",
        "http://",
        "http://:80",
        "http://pi.local/",
        "http://pi.local:",
        "http://pi.local:80",
        "https://pi.local:443",
        "http://pi.local:080",
        "http://pi.local:123456",
        "http://pi.local:8a",
        "http://Pi.local",
        "HTTP://pi.local",
        "ws://pi.local",
        "http://me@pi.local",
        "http://pi.local?a",
        "http://pi.local#a",
        "http://pi local",
        "http://p\u{ef}.local",
        "http://[::1",
        "http://::1",
        "http://[]",
    ] {
        assert_eq!(Origin::new(text), None, "{text}");
    }
}

#[test]
fn only_pages_of_this_origin_are_let_in() {
    let check = |host: Option<&str>, origin: Option<&str>| {
        HERE.check(host.map(str::as_bytes), origin.map(str::as_bytes))
    };
    let (host, here) = (Some("127.0.0.1:8080"), Some("http://127.0.0.1:8080"));
    assert_eq!(check(host, here), Ok(()));
    assert_eq!(check(host, None), Err(Unwelcome::NoOrigin));
    assert_eq!(check(None, here), Err(Unwelcome::NoHost));
    assert_eq!(check(host, Some("null")), Err(Unwelcome::Null));
    for other in [
        "",
        "http://127.0.0.1",
        "http://127.0.0.1:80801",
        "http://127.0.0.1:8081",
        "http://127.0.0.1:8080/",
        "https://127.0.0.1:8080",
        "HTTP://127.0.0.1:8080",
        "http://127.0.0.1:8080, http://evil.example",
        "http://evil.example",
    ] {
        assert_eq!(check(host, Some(other)), Err(Unwelcome::Origin), "{other}");
    }
    for other in ["", "127.0.0.1", "127.0.0.1:8081", "127.0.0.1:80801", "evil.example"] {
        assert_eq!(check(Some(other), here), Err(Unwelcome::Host), "{other}");
    }
}

#[test]
fn what_a_circuit_starts_with_is_of_this_origin() {
    let base = "http://127.0.0.1:8080/app/";
    assert!(HERE.covers(base, "http://127.0.0.1:8080/app/page?a#b"));
    assert!(HERE.covers(base, base));
    for (base, uri) in [
        (base, "http://127.0.0.1:8080/"),
        (base, "http://127.0.0.1:8080/apple"),
        (base, "http://evil.example/app/"),
        ("http://evil.example/", "http://evil.example/"),
        ("http://127.0.0.1:80801/", "http://127.0.0.1:80801/"),
        ("http://127.0.0.1:8080.evil.example/", "http://127.0.0.1:8080.evil.example/"),
        ("http://127.0.0.1:8080@evil.example/", "http://127.0.0.1:8080@evil.example/"),
        ("http://127.0.0.1:808", "http://127.0.0.1:8080/"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080.evil.example/"),
        ("", ""),
    ] {
        assert!(!HERE.covers(base, uri), "{base} {uri}");
    }
    for uri in ["http://127.0.0.1:8080", "http://127.0.0.1:8080?a", "http://127.0.0.1:8080#a"] {
        assert!(HERE.has(uri), "{uri}");
    }
}

#[test]
fn refusals_read_well() {
    assert_eq!(Unwelcome::Null.to_string(), "origin is null");
}
