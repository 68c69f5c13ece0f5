// snippet:doc https://docs.rs/sha2/latest/sha2/ sha2
// snippet:needs Rust 1.85
// snippet:into In a crate: cargo add sha2
use sha2::{Digest, Sha256};

#[derive(Default)]
pub struct Log {
    entries: Vec<(String, [u8; 32])>, // each hash covers the entry before it
}

fn link(previous: [u8; 32], text: &str) -> [u8; 32] {
    let hasher = Sha256::new().chain_update(previous).chain_update(text);
    hasher.finalize().into()
}

impl Log {
    /// Adds an entry and returns its hash.
    pub fn append(&mut self, text: String) -> [u8; 32] {
        let previous = self.entries.last().map_or([0; 32], |(_, hash)| *hash);
        let hash = link(previous, &text);
        self.entries.push((text, hash));
        hash
    }

    /// The first entry that does not fit the one before it. Keep the last hash
    /// elsewhere: without it the end can be cut off, or everything hashed again.
    pub fn first_broken(&self) -> Option<usize> {
        let mut previous = [0; 32];
        self.entries.iter().position(|(text, hash)| {
            let expected = link(previous, text);
            previous = *hash;
            *hash != expected
        })
    }
}
// snippet:usage
// snippet:prints None
// snippet:prints Some(1)
fn main() {
    let mut log = Log::default();
    for text in ["opened", "paid 10", "closed"] {
        log.append(text.into());
    }
    println!("{:?}", log.first_broken());
    log.entries[1].0 = "paid 1".into();
    println!("{:?}", log.first_broken());
    // snippet:check
    // snippet:measures a changed or removed entry is found
    // snippet:prints Some(0)
    log.entries[1].0 = "paid 10".into();
    log.entries.remove(0);
    println!("{:?}", log.first_broken());
    // snippet:usage
}
