// snippet:doc https://doc.rust-lang.org/std/time/struct.Instant.html std::time::Instant
// snippet:prints Ok(()) Ok(()) Err(500ms)
// snippet:prints Ok(())
use std::time::{Duration, Instant};

/// Allows `rate` calls a second on average, and bursts of up to `burst`.
pub struct TokenBucket {
    rate: f64,
    burst: f64,
    full_at: Instant, // when the bucket would be full again: that is all its state
}

impl TokenBucket {
    #[rustfmt::skip]
    pub fn new(rate: f64, burst: f64, now: Instant) -> Self {
        TokenBucket { rate, burst, full_at: now }
    }

    /// Takes a token, or says how long to wait for one.
    pub fn take(&mut self, now: Instant) -> Result<(), Duration> {
        let missing = self.full_at.duration_since(now).as_secs_f64() * self.rate;
        if missing + 1.0 > self.burst {
            let wait = (missing + 1.0 - self.burst) / self.rate;
            return Err(Duration::from_secs_f64(wait));
        }
        self.full_at = self.full_at.max(now) + Duration::from_secs_f64(1.0 / self.rate);
        Ok(())
    }
}
// snippet:check
fn main() {
    let start = Instant::now();
    let mut bucket = TokenBucket::new(2.0, 2.0, start);
    println!(
        "{:?} {:?} {:?}",
        bucket.take(start),
        bucket.take(start),
        bucket.take(start)
    );
    println!("{:?}", bucket.take(start + Duration::from_millis(500)));
}
