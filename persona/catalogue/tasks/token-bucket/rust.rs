// snippet:doc https://doc.rust-lang.org/std/time/struct.Instant.html std::time::Instant
// snippet:prints Ok(()) Ok(()) Err(500ms)
// snippet:prints Ok(())
use std::time::{Duration, Instant};

/// Allows `rate` calls a second on average, and bursts of up to `burst`.
pub struct TokenBucket {
    rate: f64,
    burst: f64,
    tokens: f64,
    updated: Instant,
}

impl TokenBucket {
    /// Takes a token, or says how long to wait for one.
    pub fn take(&mut self, now: Instant) -> Result<(), Duration> {
        let passed = now.duration_since(self.updated).as_secs_f64();
        self.tokens = (self.tokens + passed * self.rate).min(self.burst);
        self.updated = now;
        if self.tokens < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - self.tokens) / self.rate));
        }
        self.tokens -= 1.0;
        Ok(())
    }
}
// snippet:check
fn main() {
    let start = Instant::now();
    let mut bucket = TokenBucket {
        rate: 2.0,
        burst: 2.0,
        tokens: 2.0,
        updated: start,
    };
    println!(
        "{:?} {:?} {:?}",
        bucket.take(start),
        bucket.take(start),
        bucket.take(start)
    );
    println!("{:?}", bucket.take(start + Duration::from_millis(500)));
}
