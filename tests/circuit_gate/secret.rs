//! Secrets: their alphabet, their comparison, and that they stay where they are.

use onewrite::circuit::secret::{CircuitSecret, Random, Secret, Token};

/// Gives what it is told to; then none.
pub(super) struct Told(pub(super) Vec<u8>);

impl Random for Told {
    type Error = &'static str;

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), &'static str> {
        if self.0.len() < bytes.len() {
            return Err("no random numbers");
        }
        let rest = self.0.split_off(bytes.len());
        bytes.copy_from_slice(&self.0);
        self.0 = rest;
        Ok(())
    }
}

/// Numbers that are always the same.
pub(super) struct Generator(pub(super) u64);

impl Random for Generator {
    type Error = core::convert::Infallible;

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for byte in bytes {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *byte = self.0.to_be_bytes()[0];
        }
        Ok(())
    }
}

#[test]
fn six_bits_are_a_character() {
    // All of the alphabet, in order, and then from its end.
    let bits = (0..64u8).chain((0..64).rev());
    let bits: Vec<bool> =
        bits.flat_map(|six| (0..6).rev().map(move |bit| six >> bit & 1 != 0)).collect();
    let bytes =
        bits.chunks(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit)));
    let secret = Secret::<128>::random(&mut Told(bytes.collect())).unwrap();
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let reversed: String = alphabet.chars().rev().collect();
    assert_eq!(secret.as_str(), format!("{alphabet}{reversed}"));
}

#[test]
fn so_many_bytes_are_asked_for() {
    let told = |len: usize| Told(vec![0xff; len]);
    assert_eq!(CircuitSecret::random(&mut told(48)).unwrap().as_str(), "_".repeat(64));
    assert_eq!(CircuitSecret::random(&mut told(47)).unwrap_err(), "no random numbers");
    assert_eq!(Token::random(&mut told(24)).unwrap().as_str(), "_".repeat(32));
    assert_eq!(Token::random(&mut &mut told(23)).unwrap_err(), "no random numbers");
}

#[test]
fn a_secret_is_only_itself() {
    let secret = CircuitSecret::random(&mut Generator(7)).unwrap();
    let text = secret.as_str();
    assert!(secret.matches(text));
    for at in 0..text.len() {
        let (front, rest) = text.split_at(at);
        let other = if rest.starts_with('A') { "B" } else { "A" };
        assert!(!secret.matches(&format!("{front}{other}{}", &rest[1..])), "character {at}");
        assert!(!secret.matches(front));
    }
    assert!(!secret.matches(""));
    assert!(!secret.matches(&format!("{text}A")));
    assert!(!secret.matches(&text.to_lowercase()));
}

#[test]
fn a_secret_is_not_printed() {
    let secret = CircuitSecret::random(&mut Generator(7)).unwrap();
    assert_eq!(format!("{secret:?}"), "Secret { .. }");
    assert_eq!(format!("{secret:#?}"), "Secret { .. }");
}
