//! Questions to the firmware of a Raspberry Pi, through the kernel's mailbox device.

use core::ffi::c_char;
use std::fs::File;

use rustix::ioctl::{self, Opcode, Updater, opcode};

use super::root::Root;
use crate::property::{Message, Question};

/// `IOCTL_MBOX_PROPERTY` of the kernel's `vcio` driver: `_IOWR(100, 0, char *)`.
const PROPERTY: Opcode = opcode::read_write::<*mut c_char>(100, 0);

/// The device; it is there with Raspberry Pi's own kernels only.
#[derive(Debug)]
pub(super) struct Firmware(File);

impl Firmware {
    /// Opens the device, which users may do who are in the group `video`.
    pub(super) fn open(root: &Root) -> Option<Self> {
        root.open("/dev/vcio").map(Self)
    }

    /// What the firmware answers; `None` where it does not know.
    pub(super) fn ask(&self, question: Question) -> Option<u32> {
        let mut message: Message = question.request();
        // SAFETY: the driver reads the length from the first word, reads and writes no more than
        // so many bytes, and the message says its own size. Another driver that knows this number
        // would take a pointer to a pointer and there is none behind this name.
        let call = unsafe { Updater::<PROPERTY, Message>::new(&mut message) };
        // SAFETY: as above; the message outlives the call.
        unsafe { ioctl::ioctl(&self.0, call) }.ok()?;
        question.answer(message)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "a test fails by panicking")]

    use super::{Firmware, PROPERTY};
    use crate::{linux::root::tests::Tree, property::Question};

    #[test]
    fn the_call_has_the_number_that_the_driver_knows() {
        // _IOWR is 3 << 30, the size of a pointer << 16, the type 100 << 8.
        let wanted = if cfg!(target_pointer_width = "64") { 0xc008_6400 } else { 0xc004_6400_u32 };
        assert_eq!(u64::from(PROPERTY), u64::from(wanted));
    }

    #[test]
    fn a_file_that_is_no_mailbox_answers_nothing() {
        let tree = Tree::new("vcio").with("/dev/vcio", "no device");
        let firmware = Firmware::open(tree.root()).expect("the file is there");
        assert_eq!(firmware.ask(Question::THROTTLED), None);
    }
}
