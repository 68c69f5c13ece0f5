// snippet:doc https://doc.rust-lang.org/std/time/struct.Duration.html std::time::Duration
// snippet:needs Rust 1.80
// snippet:prints 0 0.7
// snippet:prints 2 0.3
// snippet:prints 5 0.6
// snippet:prints 10 0.0
use std::time::Duration;

/// Spends real time in equal steps, so that physics does not depend on the
/// frame rate.
pub struct FixedStep {
    step: Duration,
    unspent: Duration,
    max_steps: u32, // after a long pause, skip time instead of freezing
}

impl FixedStep {
    pub fn new(hertz: u32) -> Self {
        FixedStep {
            step: Duration::from_secs(1) / hertz,
            unspent: Duration::ZERO,
            max_steps: 5,
        }
    }

    /// Runs `update` once per whole step and returns how far into the next one
    /// we are (0 to 1): draw between the last two states with it.
    pub fn advance(&mut self, frame: Duration, mut update: impl FnMut(f32)) -> f32 {
        let total = self.unspent.saturating_add(frame);
        self.unspent = total.min(self.step * self.max_steps);
        while self.unspent >= self.step {
            update(self.step.as_secs_f32());
            self.unspent -= self.step;
        }
        self.unspent.div_duration_f32(self.step)
    }
}
// snippet:usage
fn main() {
    let mut clock = FixedStep::new(100);
    let mut updates = 0;
    for frame in [7, 16, 33, 1000] {
        let alpha = clock.advance(Duration::from_millis(frame), |_| updates += 1);
        println!("{updates} {alpha:.1}");
    }
}
