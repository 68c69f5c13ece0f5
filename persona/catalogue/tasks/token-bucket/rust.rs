// snippet:doc https://doc.rust-lang.org/std/time/struct.Instant.html std::time::Instant
use std::time::{Duration, Instant};

/// Allows `rate` calls a second on average, and bursts of up to `burst`. All times are
/// whole nanoseconds, so that no rounding error refuses the last call of a burst.
pub struct TokenBucket {
    interval: Duration, // in which one token comes back
    burst: Duration,    // in which an empty bucket fills up
    full_at: Instant,   // when the bucket would be full again: that is all its state
}

impl TokenBucket {
    pub fn new(rate: f64, burst: u32, now: Instant) -> Self {
        let interval = Duration::from_secs_f64(1.0 / rate);
        TokenBucket {
            interval,
            burst: interval * burst,
            full_at: now,
        }
    }

    /// Takes a token, or says how long to wait for one.
    pub fn take(&mut self, now: Instant) -> Result<(), Duration> {
        let full_at = self.full_at.max(now) + self.interval;
        let wait = full_at.duration_since(now).saturating_sub(self.burst);
        if !wait.is_zero() {
            return Err(wait);
        }
        self.full_at = full_at;
        Ok(())
    }
}
// snippet:usage
// snippet:prints Ok(()) Ok(()) Err(500ms)
fn main() {
    let start = Instant::now();
    let mut bucket = TokenBucket::new(2.0, 2, start);
    println!(
        "{:?} {:?} {:?}",
        bucket.take(start),
        bucket.take(start),
        bucket.take(start)
    );
    // snippet:check
    // snippet:prints Ok(())
    // snippet:prints Ok(()) Ok(())
    println!("{:?}", bucket.take(start + Duration::from_millis(500)));
    let mut sevenths = TokenBucket::new(7.0, 2, start); // 1/7 s is rounded up
    println!("{:?} {:?}", sevenths.take(start), sevenths.take(start));
    // snippet:usage
}
