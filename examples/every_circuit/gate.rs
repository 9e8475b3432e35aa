//! Who is let in.

use core::hint::black_box;

use onewrite::circuit::origin::Origin;
use onewrite::circuit::secret::{Random, Secret};
use onewrite::circuit::ticket::Tickets;

/// Numbers that are not random.
pub(crate) struct Numbers(pub(crate) u8);

impl Random for Numbers {
    type Error = u8;

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), u8> {
        for byte in bytes {
            self.0 = self.0.wrapping_mul(5).wrapping_add(1);
            *byte = self.0;
        }
        black_box(Ok(()))
    }
}

#[inline(never)]
pub(crate) fn call() {
    let mut numbers = black_box(Numbers(7));
    let mut random = &mut numbers;
    black_box(<&mut Numbers as Random>::fill(black_box(&mut random), &mut [0; 8])).ok();
    if let Ok(secret) = Secret::<64>::random(black_box(&mut random)) {
        black_box(Secret::matches(&secret, black_box("secret")));
        black_box(Secret::as_str(black_box(&secret)));
    }
    let mut tickets = Tickets::<4>::new(black_box(7));
    for now in black_box([1, 2, 3, 4, 5, 20]) {
        if let Ok(ticket) = Tickets::issue(black_box(&mut tickets), &mut random, now) {
            black_box(Tickets::redeem(black_box(&mut tickets), ticket.as_str(), now));
        }
    }
    black_box(Tickets::len(black_box(&tickets), black_box(7)));
    black_box(Tickets::is_empty(black_box(&tickets), black_box(7)));
    black_box(Tickets::evicted(black_box(&tickets)));
    if let Some(origin) = Origin::new(black_box("http://pi.local:8080")) {
        let origin = black_box(&origin);
        black_box(Origin::as_str(origin));
        black_box(Origin::host(origin));
        black_box(Origin::check(origin, black_box(Some(b"pi.local")), black_box(None))).ok();
        black_box(Origin::has(origin, black_box("http://pi.local:8080/")));
        black_box(Origin::covers(origin, black_box("http://pi.local"), black_box("http://a")));
    }
}
