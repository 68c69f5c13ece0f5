// snippet:doc https://doc.rust-lang.org/std/primitive.str.html std::primitive.str
// snippet:description Generate short texts of characters that like to cause trouble, and check something that must hold for all
// snippet:description of them. Where it answers false, the error names the text and the seed that makes it again.
// snippet:prints Ok(())
// snippet:prints true
/// A small generator (xorshift64): enough for tests, never for secrets. The
/// seed is not 0, which would only give zeros.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Checks a property on short strings of awkward characters. A failure names
/// the seed that repeats it.
pub fn for_all_strings(runs: u64, property: impl Fn(&str) -> bool) -> Result<(), String> {
    let alphabet = ['a', '%', ' ', '"', '\\', '\n', 'é', '日', '\u{1F980}'];
    for seed in 1..=runs {
        let mut random = Random(seed);
        let length = random.below(12);
        let text: String = (0..length)
            .map(|_| alphabet[random.below(alphabet.len() as u64) as usize])
            .collect();
        if !property(&text) {
            return Err(format!("seed {seed}: {text:?}"));
        }
    }
    Ok(())
}
// snippet:usage
fn main() {
    let reversed = |text: &str| -> String { text.chars().rev().collect() };
    println!("{:?}", for_all_strings(1000, |t| reversed(&reversed(t)) == t));
    println!(
        "{}",
        for_all_strings(1000, |t| t.len() == t.chars().count()).is_err()
    );
}
