// snippet:doc https://doc.rust-lang.org/std/collections/struct.HashMap.html std::collections::HashMap
// snippet:prints Some(1) None Some(3)
use std::{collections::HashMap, hash::Hash};

/// Keeps the `capacity` entries that were used last. Eviction looks at all of
/// them: simple, and quick enough for some hundreds.
pub struct Lru<K, V> {
    capacity: usize,
    clock: u64,
    entries: HashMap<K, (V, u64)>,
}

impl<K: Hash + Eq + Clone, V> Lru<K, V> {
    pub fn get(&mut self, key: &K) -> Option<&V> {
        let (value, used) = self.entries.get_mut(key)?;
        self.clock += 1;
        *used = self.clock;
        Some(value)
    }

    pub fn put(&mut self, key: K, value: V) {
        if self.entries.len() >= self.capacity && !self.entries.contains_key(&key) {
            let oldest = self.entries.iter().min_by_key(|(_, (_, used))| *used);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                self.entries.remove(&oldest);
            }
        }
        self.clock += 1;
        self.entries.insert(key, (value, self.clock));
    }
}
// snippet:check
fn main() {
    let mut c = Lru {
        capacity: 2,
        clock: 0,
        entries: HashMap::new(),
    };
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
