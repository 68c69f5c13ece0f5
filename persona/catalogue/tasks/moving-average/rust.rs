// snippet:doc https://doc.rust-lang.org/std/primitive.slice.html#method.windows slice::windows
// snippet:prints [2.0, 3.0, 6.5, 7.0]
// snippet:prints [3.0, 6.5, 7.0]
use std::collections::VecDeque;

/// Mean of the last values, updated with each new one: for streams.
pub struct MovingAverage {
    size: usize,
    window: VecDeque<f64>,
}

impl MovingAverage {
    pub fn push(&mut self, value: f64) -> f64 {
        if self.window.len() == self.size {
            self.window.pop_front();
        }
        self.window.push_back(value);
        self.window.iter().sum::<f64>() / self.window.len() as f64
    }
}

/// The same for a series that is already in memory: whole windows only.
pub fn smooth(series: &[f64], size: usize) -> Vec<f64> {
    series
        .windows(size)
        .map(|window| window.iter().sum::<f64>() / size as f64)
        .collect()
}
// snippet:check
fn main() {
    let series = [2.0, 4.0, 9.0, 5.0];
    let mut average = MovingAverage {
        size: 2,
        window: VecDeque::new(),
    };
    println!("{:?}", series.map(|v| average.push(v)));
    println!("{:?}", smooth(&series, 2));
}
