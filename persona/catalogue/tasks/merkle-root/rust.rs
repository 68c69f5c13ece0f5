// snippet:doc https://docs.rs/sha2/latest/sha2/ sha2
// snippet:needs Rust 1.85
// snippet:into In a crate: cargo add sha2
// snippet:prints [36, 64, 2e, 73]
// snippet:prints false
use sha2::{Digest, Sha256};

type Hash = [u8; 32];

fn hash(prefix: u8, parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new_with_prefix([prefix]);
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize().into()
}

/// One hash for all leaves. Leaves and inner nodes are hashed with different
/// prefixes (RFC 9162), so that one can never be passed off as the other.
pub fn merkle_root(leaves: &[&[u8]]) -> Hash {
    match leaves {
        [] => Sha256::digest([]).into(),
        [leaf] => hash(0, &[leaf]),
        _ => {
            let split = leaves.len().next_power_of_two() / 2;
            let (left, right) = leaves.split_at(split);
            hash(1, &[&merkle_root(left), &merkle_root(right)])
        }
    }
}
// snippet:usage
fn main() {
    let root = merkle_root(&[b"a", b"b", b"c"]);
    println!("{:02x?}", &root[..4]);
    println!("{}", root == merkle_root(&[b"a", b"b", b"d"]));
}
