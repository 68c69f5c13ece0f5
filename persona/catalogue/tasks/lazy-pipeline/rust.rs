// snippet:doc https://doc.rust-lang.org/std/iter/trait.Iterator.html std::iter::Iterator
// snippet:prints [6, 3, 10, 5, 16, 8, 4, 2, 1]
// snippet:prints [(27, 111), (31, 106), (41, 109)]
/// Collatz steps from `start` down to 1, as long as they fit into a `u64`.
/// Nothing runs before the caller asks.
pub fn collatz(start: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(start), |&n| match n {
        0 | 1 => None,
        n if n % 2 == 0 => Some(n / 2),
        n => n.checked_mul(3)?.checked_add(1),
    })
}

/// The first `count` starts whose path is longer than `steps`: the endless
/// range is only walked as far as needed.
pub fn long_paths(steps: usize, count: usize) -> Vec<(u64, usize)> {
    (1..)
        .map(|start| (start, collatz(start).count() - 1))
        .filter(|&(_, length)| length > steps)
        .take(count)
        .collect()
}
// snippet:usage
fn main() {
    println!("{:?}", collatz(6).collect::<Vec<_>>());
    println!("{:?}", long_paths(100, 3));
}
