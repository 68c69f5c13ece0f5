// snippet:doc https://doc.rust-lang.org/std/primitive.slice.html#method.select_nth_unstable slice::select_nth_unstable
// snippet:prints p50=100ms p95=190ms p99=198ms p100=200ms
// snippet:prints None
use std::time::Duration;

/// The smallest sample that at least `percent` of all do not exceed (nearest
/// rank). Reorders the samples, in linear time.
pub fn percentile(samples: &mut [Duration], percent: f64) -> Option<Duration> {
    let last = samples.len().checked_sub(1)?;
    // 99.9 * 41000 / 100 is above 40959.
    let rank = (percent * samples.len() as f64 / 100.0 - 1e-7).ceil() as usize;
    let index = rank.saturating_sub(1).min(last);
    Some(*samples.select_nth_unstable(index).1)
}

pub fn report(samples: &mut [Duration]) -> String {
    [50.0, 95.0, 99.0, 100.0]
        .into_iter()
        .filter_map(|p| Some(format!("p{p}={:?}", percentile(samples, p)?)))
        .collect::<Vec<_>>()
        .join(" ")
}
// snippet:check
fn main() {
    let mut samples: Vec<_> = (1..=200).rev().map(Duration::from_millis).collect();
    println!("{}", report(&mut samples));
    println!("{:?}", percentile(&mut [], 50.0));
    let mut many: Vec<_> = (1..=41000).map(Duration::from_millis).collect();
    let slow = percentile(&mut many, 99.9);
    assert_eq!(slow, Some(Duration::from_millis(40959)));
}
