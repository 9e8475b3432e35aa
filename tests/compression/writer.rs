//! Streams that no encoder makes, bit by bit.

/// Bits of a stream, the first one lowest.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
    count: usize,
}

impl Writer {
    pub(crate) fn put(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |=
                u8::try_from(value >> bit & 1).unwrap() << (self.count % 8);
            self.count += 1;
        }
    }

    /// Whole bytes, from the next one on.
    pub(crate) fn stored(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        self.count = 8 * self.bytes.len();
    }

    /// A brotli code of one symbol, which takes no bits.
    pub(crate) fn only(&mut self, symbol: u32, width: u32) {
        self.put(1, 2);
        self.put(0, 2);
        self.put(symbol, width);
    }
}
