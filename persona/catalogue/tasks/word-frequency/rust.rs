// snippet:doc https://doc.rust-lang.org/std/collections/hash_map/enum.Entry.html hash_map::Entry
// snippet:prints [("the", 4), ("cat", 2), ("dog", 2)]
use std::{cmp::Reverse, collections::HashMap};

/// The `n` most frequent words with their counts; ties sorted by word.
/// A digit ends a word, and so does a mark that is no letter, such as an accent in NFD
/// (compose such a text first) or the virama of Hindi.
pub fn top_words(text: &str, n: usize) -> Vec<(String, usize)> {
    let mut counts = HashMap::new();
    let words = text
        .split(|c: char| !c.is_alphabetic() && !['\'', '’'].contains(&c))
        .map(|word| word.trim_matches(['\'', '’']))
        .filter(|word| !word.is_empty());
    for word in words {
        *counts.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    let mut ranking: Vec<_> = counts.into_iter().collect();
    ranking.sort_unstable_by(|a, b| (Reverse(a.1), &a.0).cmp(&(Reverse(b.1), &b.0)));
    ranking.truncate(n);
    ranking
}
// snippet:usage
fn main() {
    println!(
        "{:?}",
        top_words(
            "The cat saw the dog. The 'dog' didn't ' see; the cat did!",
            3
        )
    );
}
