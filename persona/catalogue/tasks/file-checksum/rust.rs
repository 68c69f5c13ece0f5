// snippet:doc https://docs.rs/sha2/latest/sha2/ sha2
// snippet:needs Rust 1.85
// snippet:into In a crate: cargo add sha2
use sha2::{Digest, Sha256};
use std::io::{self, BufRead, BufReader};
use std::{fs::File, path::Path};

/// SHA-256 of a file in hexadecimal. The file is read in blocks, so its size
/// does not matter.
pub fn checksum(path: &Path) -> io::Result<String> {
    let mut file = BufReader::with_capacity(64 << 10, File::open(path)?);
    let mut hasher = Sha256::new();
    loop {
        let block = file.fill_buf()?;
        if block.is_empty() {
            break;
        }
        hasher.update(block);
        let read = block.len();
        file.consume(read);
    }
    let digest = hasher.finalize();
    Ok(digest.iter().map(|b| format!("{b:02x}")).collect())
}

pub fn verify(path: &Path, expected: &str) -> io::Result<()> {
    if checksum(path)?.eq_ignore_ascii_case(expected.trim()) {
        return Ok(());
    }
    let message = format!("{}: is not the file of {expected}", path.display());
    Err(io::Error::new(io::ErrorKind::InvalidData, message))
}
// snippet:usage
// snippet:prints 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03
// snippet:prints greeting.txt: is not the file of 00
fn main() -> io::Result<()> {
    let path = Path::new("greeting.txt");
    std::fs::write(path, "hello\n")?;
    println!("{}", checksum(path)?);
    println!("{}", verify(path, "00").unwrap_err());
    Ok(())
}
