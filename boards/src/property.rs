//! Questions to the firmware of a Raspberry Pi, as they lie in memory.
//!
//! The property channel of the mailbox. Source: the wiki page "Mailbox property interface" of
//! raspberrypi/firmware. On bare metal the words go to the mailbox, under Linux to `/dev/vcio`.
//!
//! | word | holds |
//! |---|---|
//! | 0 | bytes of the whole message |
//! | 1 | 0 as a request, `0x8000_0000` once it is answered |
//! | 2 | the tag: what is asked |
//! | 3 | bytes of the value, 8 |
//! | 4 | 0 as a request, bytes of the answer and bit 31 once it is answered |
//! | 5, 6 | the argument, then the answer |
//! | 7 | 0, the end |

use crate::Environment;

/// A message, before and after it is answered.
pub(crate) type Message = [u32; 8];

const BYTES: u32 = 32;
const _: () = assert!(size_of::<Message>() == BYTES as usize);

const ANSWERED: u32 = 0x8000_0000;

/// Something that the firmware knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    tag: u32,
    argument: u32,
    /// Which of the two words of the value is the answer.
    word: usize,
    /// Whether the firmware says 0 for what it does not know.
    zero_is_an_answer: bool,
}

impl Question {
    /// When the firmware was built, in seconds of Unix time.
    pub(crate) const FIRMWARE: Self = Self::of(0x0000_0001, 0, 0);
    /// The board's revision code: `0x902120` is a Zero 2 W 1.0 with 512 MB.
    pub(crate) const BOARD_REVISION: Self = Self::of(0x0001_0002, 0, 0);
    /// Thousandths of a degree Celsius.
    pub(crate) const TEMPERATURE: Self = Self::of(0x0003_0006, 0, 1);
    /// The bits of `vcgencmd get_throttled`; the argument would say which of them to forget.
    pub(crate) const THROTTLED: Self = Self::of(0x0003_0046, 0, 0);

    /// The rate in Hz that a clock is set to.
    pub(crate) const fn clock(clock: Clock) -> Self {
        Self { zero_is_an_answer: false, ..Self::of(0x0003_0002, clock as u32, 1) }
    }

    /// The rate in Hz that a clock is measured to run at.
    pub(crate) const fn measured_clock(clock: Clock) -> Self {
        Self { zero_is_an_answer: false, ..Self::of(0x0003_0047, clock as u32, 1) }
    }

    const fn of(tag: u32, argument: u32, word: usize) -> Self {
        Self { tag, argument, word, zero_is_an_answer: true }
    }

    /// The message to send.
    pub(crate) const fn request(self) -> Message {
        [BYTES, 0, self.tag, 8, 0, self.argument, 0, 0]
    }

    /// What came back; `None` where the firmware does not know.
    pub(crate) fn answer(self, message: Message) -> Option<u32> {
        let [_, status, tag, _, value_status, first, second, _] = message;
        if status != ANSWERED || tag != self.tag || value_status & ANSWERED == 0 {
            return None;
        }
        let answer = if self.word == 0 { first } else { second };
        Some(answer).filter(|&answer| answer != 0 || self.zero_is_an_answer)
    }
}

/// The clocks that a report names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Clock {
    /// Of the serial line; only bare metal asks, which sets its divisor.
    #[cfg_attr(not(target_os = "none"), expect(dead_code, reason = "Linux drives the line"))]
    Uart = 2,
    Arm = 3,
    Core = 4,
}

/// Adds what the firmware answers about the machine as it was built.
pub(crate) fn add_fixed_facts(
    environment: &mut Environment,
    ask: impl Fn(Question) -> Option<u32>,
) {
    if let Some(revision) = ask(Question::BOARD_REVISION) {
        environment.add("board revision", format_args!("{revision:#x}"));
    }
    if let Some(seconds) = ask(Question::FIRMWARE) {
        environment.add("firmware", format_args!("{seconds} s of Unix time"));
    }
}

/// Adds what the firmware answers about this moment, except the clock as it is set.
///
/// A question without an answer is no fact.
pub(crate) fn add_moving_facts(
    environment: &mut Environment,
    ask: impl Fn(Question) -> Option<u32>,
) {
    if let Some(hz) = ask(Question::measured_clock(Clock::Arm)) {
        environment.add("clock measured", format_args!("{hz} Hz"));
    }
    if let Some(hz) = ask(Question::clock(Clock::Core)) {
        environment.add("core clock", format_args!("{hz} Hz"));
    }
    if let Some(bits) = ask(Question::THROTTLED) {
        environment.add("throttled", format_args!("{bits:#x}"));
    }
    if let Some(millidegrees) = ask(Question::TEMPERATURE) {
        environment.add("temperature", format_args!("{millidegrees} m\u{b0}C"));
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, Question};

    #[test]
    fn a_question_is_eight_words_with_a_value_of_two() {
        let question = Question::measured_clock(Clock::Arm);
        assert_eq!(question.request(), [32, 0, 0x0003_0047, 8, 0, 3, 0, 0]);
        assert_eq!(Question::THROTTLED.request(), [32, 0, 0x0003_0046, 8, 0, 0, 0, 0]);
    }

    #[test]
    fn the_answer_is_the_word_that_belongs_to_the_question() {
        let answered = |tag| [32, 0x8000_0000, tag, 8, 0x8000_0008, 3, 600_000_000, 0];
        let clock = Question::clock(Clock::Arm);
        assert_eq!(clock.answer(answered(0x0003_0002)), Some(600_000_000));
        assert_eq!(Question::THROTTLED.answer(answered(0x0003_0046)), Some(3));
        assert_eq!(Question::TEMPERATURE.answer(answered(0x0003_0006)), Some(600_000_000));
        assert_eq!(clock.answer(answered(0x0003_0047)), None, "another question's answer");
    }

    #[test]
    fn what_the_firmware_does_not_know_has_no_answer() {
        let question = Question::clock(Clock::Core);
        // A request that nobody touched, a refusal, a tag that was passed over, a clock of 0 Hz.
        assert_eq!(question.answer(question.request()), None);
        let refused = [32, 0x8000_0001, 0x0003_0002, 8, 0x8000_0008, 4, 5, 0];
        assert_eq!(question.answer(refused), None);
        assert_eq!(question.answer([32, 0x8000_0000, 0x0003_0002, 8, 0, 4, 5, 0]), None);
        let zero = [32, 0x8000_0000, 0x0003_0002, 8, 0x8000_0008, 4, 0, 0];
        assert_eq!(question.answer(zero), None);
        // No bit set is an answer.
        let nothing = [32, 0x8000_0000, 0x0003_0046, 8, 0x8000_0004, 0, 0, 0];
        assert_eq!(Question::THROTTLED.answer(nothing), Some(0));
    }
}
