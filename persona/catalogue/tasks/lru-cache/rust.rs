// snippet:doc https://doc.rust-lang.org/std/collections/struct.HashMap.html std::collections::HashMap
// snippet:prints Some(1) None Some(3)
use std::{collections::HashMap, hash::Hash};

/// Keeps the `capacity` entries used last. Eviction looks at all: fine for hundreds.
pub struct Lru<K, V> {
    capacity: usize,
    clock: u64,
    entries: HashMap<K, (V, u64)>,
}

impl<K: Hash + Eq + Clone, V> Lru<K, V> {
    #[rustfmt::skip]
    pub fn new(capacity: usize) -> Self {
        Lru { capacity, clock: 0, entries: HashMap::new() }
    }
    pub fn get(&mut self, key: &K) -> Option<&V> {
        self.clock += 1;
        let (value, used) = self.entries.get_mut(key)?;
        *used = self.clock;
        Some(value)
    }
    pub fn put(&mut self, key: K, value: V) {
        self.clock += 1;
        self.entries.insert(key, (value, self.clock));
        if self.entries.len() > self.capacity {
            let oldest = self.entries.iter().min_by_key(|(_, (_, used))| *used);
            if let Some(key) = oldest.map(|(key, _)| key.clone()) {
                self.entries.remove(&key);
            }
        }
    }
}
// snippet:usage
fn main() {
    let mut c = Lru::new(2);
    c.put("a", 1);
    c.put("b", 2);
    c.get(&"a");
    c.put("c", 3);
    println!(
        "{:?} {:?} {:?}",
        c.get(&"a").copied(),
        c.get(&"b").copied(),
        c.get(&"c").copied()
    );
}
