// snippet:doc https://docs.rs/tokio/latest/tokio/time/fn.sleep.html tokio::time::sleep
// snippet:prints Ok("done") after 3
// snippet:prints Err("down")
use std::time::Duration;
use tokio::time::sleep;

/// Calls `op` until it succeeds, at most `attempts` times, and waits twice as
/// long after each failure. Returns the last error.
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
        sleep(base * 2u32.pow(attempt - 1)).await;
        attempt += 1;
    }
}
// snippet:check
#[tokio::main]
async fn main() {
    let mut calls = 0;
    let result: Result<&str, String> = retry(4, Duration::from_millis(1), async || {
        calls += 1;
        if calls < 3 {
            Err("busy".into())
        } else {
            Ok("done")
        }
    })
    .await;
    println!("{result:?} after {calls}");
    let failed: Result<(), &str> = retry(2, Duration::from_millis(1), async || Err("down")).await;
    println!("{failed:?}");
}
