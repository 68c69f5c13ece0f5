// snippet:doc https://doc.rust-lang.org/std/primitive.u8.html std::primitive.u8
// snippet:prints true 5 false
// snippet:prints 11010010
/// Status register of a sensor: bit 7 ready, bit 6 error, bits 5-3 gain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Status(pub u8);

impl Status {
    pub const READY: u8 = 1 << 7;
    pub const ERROR: u8 = 1 << 6;
    const GAIN_SHIFT: u32 = 3;
    const GAIN_MASK: u8 = 0b111 << Self::GAIN_SHIFT;

    pub const fn is_set(self, flag: u8) -> bool {
        self.0 & flag == flag
    }
    pub const fn without(self, flag: u8) -> Self {
        Status(self.0 & !flag)
    }
    pub const fn gain(self) -> u8 {
        (self.0 & Self::GAIN_MASK) >> Self::GAIN_SHIFT
    }
    /// Changes the gain and leaves all other bits alone.
    pub const fn with_gain(self, gain: u8) -> Self {
        assert!(gain < 8, "gain has three bits");
        Status(self.0 & !Self::GAIN_MASK | gain << Self::GAIN_SHIFT)
    }
}
// snippet:check
fn main() {
    let s = Status(0b1110_1010);
    println!(
        "{} {} {}",
        s.is_set(Status::READY),
        s.gain(),
        s.without(Status::ERROR).is_set(Status::ERROR)
    );
    println!("{:08b}", s.with_gain(2).0);
}
