//! Tickets: good once, for some time, and no more of them than there are places.

use onewrite::circuit::ticket::Tickets;

use super::secret::{Generator, Told};

const LIFETIME: u64 = 1_000;

fn issue<const N: usize>(tickets: &mut Tickets<N>, random: &mut Generator, now: u64) -> String {
    tickets.issue(random, now).unwrap().as_str().to_owned()
}

#[test]
fn a_ticket_is_good_once() {
    let (mut tickets, mut random) = (Tickets::<4>::new(LIFETIME), Generator(1));
    let one = issue(&mut tickets, &mut random, 0);
    let two = issue(&mut tickets, &mut random, 0);
    assert_ne!(one, two);
    assert_eq!(tickets.len(0), 2);
    assert!(tickets.redeem(&one, 0));
    assert!(!tickets.redeem(&one, 0));
    assert!(tickets.redeem(&two, 0));
    assert!(tickets.is_empty(0));
}

#[test]
fn a_ticket_is_good_for_its_time() {
    let (mut tickets, mut random) = (Tickets::<4>::new(LIFETIME), Generator(1));
    let one = issue(&mut tickets, &mut random, 500);
    let two = issue(&mut tickets, &mut random, 500);
    assert_eq!((tickets.len(500 + LIFETIME), tickets.len(501 + LIFETIME)), (2, 0));
    assert!(tickets.redeem(&one, 500 + LIFETIME));
    assert!(!tickets.redeem(&two, 501 + LIFETIME));
    // Late is as good as taken.
    assert!(!tickets.redeem(&two, 500));
}

#[test]
fn what_was_never_given_out_is_no_ticket() {
    let (mut tickets, mut random) = (Tickets::<4>::new(LIFETIME), Generator(1));
    let one = issue(&mut tickets, &mut random, 0);
    for text in ["", "nope", &one[1..], &format!("{one}A"), &"A".repeat(32)] {
        assert!(!tickets.redeem(text, 0), "{text}");
    }
    assert!(tickets.redeem(&one, 0));
}

#[test]
fn the_oldest_makes_room() {
    let (mut tickets, mut random) = (Tickets::<3>::new(LIFETIME), Generator(1));
    let given: Vec<_> = (0..5).map(|now| issue(&mut tickets, &mut random, now)).collect();
    assert_eq!((tickets.len(5), tickets.evicted()), (3, 2));
    let good: Vec<_> = given.iter().map(|ticket| tickets.redeem(ticket, 5)).collect();
    assert_eq!(good, [false, false, true, true, true]);
}

/// One that is taken or late makes room before one that is good, and is not counted.
#[test]
fn what_is_no_good_makes_room_first() {
    let (mut tickets, mut random) = (Tickets::<3>::new(LIFETIME), Generator(1));
    let late = issue(&mut tickets, &mut random, 0);
    let taken = issue(&mut tickets, &mut random, 900);
    let good = issue(&mut tickets, &mut random, 901);
    assert!(tickets.redeem(&taken, 901));
    let third = issue(&mut tickets, &mut random, 1_500);
    let fourth = issue(&mut tickets, &mut random, 1_500);
    assert_eq!(tickets.evicted(), 0);
    assert!(!tickets.redeem(&late, 1_500));
    for ticket in [good, third, fourth] {
        assert!(tickets.redeem(&ticket, 1_500));
    }
}

#[test]
fn without_random_numbers_nothing_changes() {
    let (mut tickets, mut random) = (Tickets::<1>::new(LIFETIME), Generator(1));
    let one = issue(&mut tickets, &mut random, 0);
    assert!(tickets.issue(&mut Told(vec![1; 23]), 1).is_err());
    assert_eq!(tickets.evicted(), 0);
    assert!(tickets.redeem(&one, 1));
}

#[test]
fn a_table_does_not_print_what_is_in_it() {
    let (mut tickets, mut random) = (Tickets::<2>::new(LIFETIME), Generator(1));
    let one = issue(&mut tickets, &mut random, 0);
    assert!(!format!("{tickets:?}").contains(&one));
}
