//! What is done to frames on their way out, where a test or `--fragment` wants that.

/// What is to be done to the frames of one connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Treatment {
    /// The next batch is left out.
    pub(crate) skip: bool,
    /// The first edit of the next batch is spoilt.
    pub(crate) damage: bool,
    /// Batches have numbers that are one too high.
    pub(crate) gap: bool,
    /// Bytes of a fragment.
    pub(crate) fragment: Option<usize>,
}

impl Treatment {
    /// Whether there is anything to do.
    pub(crate) fn is_some(&self) -> bool {
        *self != Self::default()
    }

    /// Treats `frames`, which are whole and not masked.
    pub(crate) fn apply(&mut self, frames: &[u8]) -> Vec<u8> {
        let (mut rest, mut treated) = (frames, Vec::new());
        while let Some((first, payload, behind)) = split(rest) {
            rest = behind;
            let mut payload = payload.to_vec();
            if let Some(batch) = batch_at(&payload) {
                if std::mem::take(&mut self.skip) {
                    continue;
                }
                let (number, edit) = (batch - 9, batch + FIRST_EDIT);
                if std::mem::take(&mut self.damage)
                    && let Some(sibling) = payload.get_mut(edit..edit + 4)
                {
                    sibling.copy_from_slice(&127u32.to_le_bytes());
                }
                if let Some(number) = payload.get_mut(number..number + 4).filter(|_| self.gap)
                    && let Some(low) = number.last_mut()
                {
                    *low = low.wrapping_add(1);
                }
            }
            self.put(first, &payload, &mut treated);
        }
        treated
    }

    /// Puts a frame, or the fragments of its message.
    fn put(&self, first: u8, payload: &[u8], treated: &mut Vec<u8>) {
        let is_control = first & 8 != 0;
        let len = self.fragment.filter(|_| !is_control).unwrap_or(usize::MAX);
        let mut opcode = first & 0xf;
        let mut rest = payload;
        loop {
            let (piece, behind) = rest.split_at_checked(len).unwrap_or((rest, &[]));
            let last = if behind.is_empty() { 0x80 } else { 0 };
            treated.push(last | opcode);
            match piece.len() {
                short @ 0..126 => treated.push(short as u8),
                long @ 126..0x1_0000 => {
                    treated.push(126);
                    treated.extend((long as u16).to_be_bytes());
                }
                longer => {
                    treated.push(127);
                    treated.extend((longer as u64).to_be_bytes());
                }
            }
            treated.extend(piece);
            if behind.is_empty() {
                return;
            }
            (rest, opcode) = (behind, 0);
        }
    }
}

/// The first byte of a frame, its payload, and what is behind it.
fn split(frames: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&[first, short], rest) = frames.split_first_chunk()?;
    let (len, rest) = match short {
        126 => {
            let (len, rest) = rest.split_first_chunk()?;
            (u16::from_be_bytes(*len).into(), rest)
        }
        127 => {
            let (len, rest) = rest.split_first_chunk()?;
            (usize::try_from(u64::from_be_bytes(*len)).ok()?, rest)
        }
        short => (short.into(), rest),
    };
    let (payload, rest) = rest.split_at_checked(len)?;
    Some((first, payload, rest))
}

/// Where the batch is in a payload that is one: behind its number, `c6` and its length, which have nine bytes.
fn batch_at(payload: &[u8]) -> Option<usize> {
    let name = b"\xaeJS.RenderBatch\x92\xce";
    let at = payload.get(..40)?.windows(name.len()).position(|bytes| bytes == name)?;
    Some(at + name.len() + 9)
}

/// Where the sibling of the first edit is in a batch, behind the component's number and counts.
const FIRST_EDIT: usize = 12;
