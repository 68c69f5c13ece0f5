// snippet:doc https://doc.rust-lang.org/reference/items/generics.html#const-generics Const generics
// snippet:prints [3, 4, 5] [1, 2]
/// The last `N` values, in place: no heap, so it works without `std` too.
pub struct Ring<T, const N: usize> {
    slots: [T; N],
    next: usize, // where the next value goes
    len: usize,
}

impl<T: Copy + Default, const N: usize> Ring<T, N> {
    pub fn new() -> Self {
        assert!(N > 0, "there must be room for one value");
        let slots = [T::default(); N];
        let (next, len) = (0, 0);
        Self { slots, next, len }
    }

    /// Adds a value and returns the one that had to make room, if any.
    pub fn push(&mut self, value: T) -> Option<T> {
        let old = core::mem::replace(&mut self.slots[self.next], value);
        self.next = (self.next + 1) % N;
        let full = self.len == N;
        self.len = (self.len + 1).min(N);
        full.then_some(old)
    }

    pub fn oldest_first(&self) -> impl Iterator<Item = T> + '_ {
        let start = self.next + N - self.len;
        (start..start + self.len).map(|i| self.slots[i % N])
    }
}
// snippet:usage
fn main() {
    let mut ring = Ring::<u16, 3>::new();
    let dropped: Vec<_> = (1..=5).filter_map(|v| ring.push(v)).collect();
    println!(
        "{:?} {:?}",
        ring.oldest_first().collect::<Vec<_>>(),
        dropped
    );
}
