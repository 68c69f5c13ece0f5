// snippet:doc https://doc.rust-lang.org/std/fs/fn.read_dir.html std::fs::read_dir
// snippet:title The size of a folder, in readable units
// snippet:description Add up the bytes of all regular files below a folder, and write a size in a unit from B to TiB. Links are
// snippet:description not followed; a subfolder that cannot be read counts as empty.
// snippet:why It tells what a folder holds before the disk is full.
use std::{fs, io, path::Path};

/// Total size of the regular files below `folder`, in bytes. Symbolic links are
/// not followed, and an unreadable subfolder counts as empty.
pub fn size_below(folder: &Path) -> io::Result<u64> {
    let mut total = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            total += size_below(&entry.path()).unwrap_or(0);
        } else if kind.is_file() {
            total += entry.metadata().map_or(0, |found| found.len()); // it may have gone
        }
    }
    Ok(total)
}

pub fn human(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1023.95 && unit < units.len() - 1 {
        value /= 1024.0; // 1023.95 would be written as 1024.0
        unit += 1;
    }
    format!("{value:.1} {}", units[unit])
}
// snippet:usage
// snippet:prints 2000 bytes are 2.0 KiB
fn main() -> io::Result<()> {
    fs::create_dir_all("data/old")?;
    fs::write("data/new.bin", vec![0; 1500])?;
    fs::write("data/old/first.bin", vec![0; 500])?;
    let bytes = size_below(Path::new("data"))?;
    println!("{bytes} bytes are {}", human(bytes));
    // snippet:check
    // snippet:prints 1.0 MiB
    println!("{}", human(1_048_575));
    // snippet:usage
    Ok(())
}
