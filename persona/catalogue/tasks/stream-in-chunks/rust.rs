// snippet:doc https://doc.rust-lang.org/std/io/trait.BufRead.html std::io::BufRead
// snippet:prints ["a", "b"]
// snippet:prints ["c", "d"]
// snippet:prints ["e"]
// snippet:prints 3
use std::io::{self, BufRead};

/// Reads lines and hands them on in groups of `size`; the last group may be
/// smaller. One vector serves the whole stream. Panics if `size` is 0.
pub fn for_each_batch<R, F>(input: R, size: usize, mut handle: F) -> io::Result<usize>
where
    R: BufRead,
    F: FnMut(&[String]) -> io::Result<()>,
{
    assert!(size > 0, "a batch holds one line at least");
    let mut batch = Vec::with_capacity(size);
    let mut batches = 0;
    let mut lines = input.lines().peekable();
    while let Some(line) = lines.next() {
        batch.push(line?);
        if batch.len() == size || lines.peek().is_none() {
            handle(&batch)?;
            batch.clear();
            batches += 1;
        }
    }
    Ok(batches)
}
// snippet:usage
fn main() -> io::Result<()> {
    let count = for_each_batch("a\nb\nc\nd\ne".as_bytes(), 2, |lines| {
        println!("{lines:?}");
        Ok(())
    })?;
    println!("{count}");
    Ok(())
}
