// snippet:doc https://docs.rs/tokio/latest/tokio/time/fn.sleep.html tokio::time::sleep
// snippet:needs Rust 1.85
// snippet:into In a crate: cargo add rand && cargo add tokio --features full
use std::time::Duration;
use tokio::time::sleep;

/// Calls `op` until it succeeds, at most `attempts` times (but once at least), with a
/// random pause whose limit doubles after each failure. Returns the last error.
pub async fn retry<T, E, F>(attempts: u32, base: Duration, mut op: F) -> Result<T, E>
where
    F: AsyncFnMut() -> Result<T, E>,
    E: std::fmt::Display,
{
    let mut attempt = 1;
    loop {
        match op().await {
            Ok(value) => return Ok(value),
            Err(error) if attempt >= attempts => return Err(error),
            Err(error) => eprintln!("attempt {attempt} failed: {error}"),
        }
        sleep(pause(attempt, base)).await;
        attempt += 1;
    }
}

/// A random part of a limit that doubles each time, up to a minute, so that
/// clients that failed together do not come back together ("full jitter").
fn pause(attempt: u32, base: Duration) -> Duration {
    let longest = base.saturating_mul(2u32.saturating_pow(attempt - 1));
    longest.min(Duration::from_secs(60)).mul_f64(rand::random())
}
// snippet:usage
// snippet:prints Ok("done") after 3
#[tokio::main]
async fn main() {
    let mut calls = 0;
    let result = retry(4, Duration::from_millis(1), async || {
        calls += 1;
        if calls < 3 { Err("busy") } else { Ok("done") }
    })
    .await;
    println!("{result:?} after {calls}");
    // snippet:check
    // snippet:prints Err("down")
    // snippet:prints jitter: true true
    let failed: Result<(), &str> = retry(2, Duration::from_millis(1), async || Err("down")).await;
    println!("{failed:?}");
    let base = Duration::from_secs(1);
    let pauses: std::collections::HashSet<_> = (0..100).map(|_| pause(3, base)).collect();
    println!(
        "jitter: {} {}",
        pauses.len() > 50 && pauses.iter().all(|p| *p <= 4 * base),
        (1..200).all(|n| pause(n, base) <= Duration::from_secs(60))
    );
    // snippet:usage
}
