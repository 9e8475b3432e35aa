//! What a serial line does to a log, for tests.

/// Numbers that look random and are the same in every run: xorshift64 (Marsaglia 2003).
#[derive(Clone, Debug)]
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) const fn byte(&mut self) -> u8 {
        let [.., byte, _, _, _] = self.next().to_le_bytes();
        byte
    }

    /// One of the numbers below this one; 0 where there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let number = usize::try_from(self.next() >> 33).unwrap_or_default();
        number.checked_rem(end).unwrap_or_default()
    }

    fn bytes(&mut self) -> Vec<u8> {
        let count = 1 + self.below(40);
        (0..count).map(|_| self.byte()).collect()
    }
}

/// Does one of these to the frames of a run, the first of which is the one that names the build,
/// and the last the firmware's last words: nothing, noise in front, a byte lost, a bit turned, noise
/// within, frames lost, no more power, a bit of the first frame turned.
///
/// Returns whether that may cost the report.
pub(crate) fn damage(frames: &mut Vec<Vec<u8>>, noise: &mut Noise) -> bool {
    let last = frames.len().saturating_sub(2);
    let at = 1 + noise.below(last);
    let kind = noise.below(8);
    match kind {
        0 => return false,
        1 => {
            let bytes = noise.bytes();
            frames.insert(0, bytes);
            return false;
        }
        2 => {
            if let Some(frame) = frames.get_mut(at).filter(|frame| !frame.is_empty()) {
                frame.remove(noise.below(frame.len()));
            }
        }
        3 | 4 => {
            // The frame behind the first one may be hit as well.
            let at = if kind == 3 { at } else { 0 };
            if let Some(frame) = frames.get_mut(at) {
                let byte = noise.below(frame.len());
                if let Some(byte) = frame.get_mut(byte) {
                    *byte ^= 1 << noise.below(8);
                }
            }
        }
        5 => {
            let bytes = noise.bytes();
            frames.insert(at, bytes);
        }
        6 => {
            let end = (at + 1 + noise.below(3)).min(last + 1);
            frames.drain(at..end);
        }
        // Without a line there was no report.
        _ => frames.truncate(at + 1),
    }
    true
}
