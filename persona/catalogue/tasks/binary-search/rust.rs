// snippet:doc https://doc.rust-lang.org/std/primitive.slice.html#method.partition_point slice::partition_point
// snippet:needs Rust 1.85
/// The first number in `low..high` for which `is_bad` holds, when everything
/// before it is good and everything after it is bad. Asks about log2(n) times.
pub fn first_bad(low: u32, high: u32, mut is_bad: impl FnMut(u32) -> bool) -> Option<u32> {
    let (mut good, mut bad) = (low, high);
    while good < bad {
        let middle = good.midpoint(bad);
        if is_bad(middle) {
            bad = middle;
        } else {
            good = middle + 1;
        }
    }
    (good < high).then_some(good)
}

/// For a sorted slice the standard library has it: all readings from `start` on.
pub fn since(times: &[u64], start: u64) -> &[u64] {
    &times[times.partition_point(|&time| time < start)..]
}
// snippet:usage
// snippet:prints Some(618) true
fn main() {
    let mut asked = 0;
    let found = first_bad(1, 1000, |build| {
        asked += 1;
        build >= 618
    });
    println!("{found:?} {}", asked <= 10);
    // snippet:check
    // snippet:prints None [20, 30]
    println!(
        "{:?} {:?}",
        first_bad(1, 9, |_| false),
        since(&[10, 20, 30], 15)
    );
    // snippet:usage
}
