// snippet:doc https://doc.rust-lang.org/std/collections/struct.VecDeque.html std::collections::VecDeque
// snippet:prints [2.0, 3.0, 6.5, 7.0]
// snippet:prints 0.1
use std::collections::VecDeque;

/// Mean of the last values, updated with each new one: for streams. The sum is
/// kept; once a round it is computed afresh, so rounding errors do not add up.
pub struct MovingAverage {
    size: usize,
    window: VecDeque<f64>,
    sum: f64,
    steps: usize,
}

impl MovingAverage {
    pub fn new(size: usize) -> Self {
        assert!(size > 0, "a window has one value at least");
        MovingAverage {
            size,
            window: VecDeque::with_capacity(size),
            sum: 0.0,
            steps: 0,
        }
    }

    pub fn push(&mut self, value: f64) -> f64 {
        if self.window.len() == self.size {
            self.sum -= self.window.pop_front().unwrap_or(0.0);
        }
        self.window.push_back(value);
        self.sum += value;
        self.steps = (self.steps + 1) % self.size;
        if self.steps == 0 {
            self.sum = self.window.iter().sum();
        }
        self.sum / self.window.len() as f64
    }
}
// snippet:usage
fn main() {
    let mut average = MovingAverage::new(2);
    println!("{:?}", [2.0, 4.0, 9.0, 5.0].map(|v| average.push(v)));
    println!("{}", [1e17, 0.1, 0.1, 0.1].map(|v| average.push(v))[3]);
}
