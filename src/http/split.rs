//! Text in parts, by one byte.

/// The parts of a text between bytes that separate them, empty ones included.
///
/// `split` of slices keeps a panic path at some levels.
#[derive(Clone, Debug)]
pub(crate) struct Split<'t> {
    rest: Option<&'t [u8]>,
    separator: u8,
}

impl<'t> Split<'t> {
    pub(crate) const fn new(text: &'t [u8], separator: u8) -> Self {
        Self { rest: Some(text), separator }
    }
}

impl<'t> Iterator for Split<'t> {
    type Item = &'t [u8];

    fn next(&mut self) -> Option<&'t [u8]> {
        let rest = self.rest?;
        match rest.iter().position(|byte| *byte == self.separator) {
            Some(end) => {
                let (part, behind) = rest.split_at_checked(end)?;
                self.rest = behind.get(1..);
                Some(part)
            }
            None => self.rest.take(),
        }
    }
}
