// snippet:doc https://doc.rust-lang.org/std/fs/fn.rename.html std::fs::rename
// snippet:needs Rust 1.91
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Replaces `path` with `data`. A reader, or a power cut, finds the old content
/// or the new one, never a half-written file. For one thread at a time: a second
/// one gets `AlreadyExists`, and so does who meets the temporary file of a crash
/// under the same process id.
pub fn write_atomically(path: &Path, data: &[u8]) -> io::Result<()> {
    let temporary = path.with_added_extension(format!("{}.tmp", std::process::id()));
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true) // never follow or reuse what is already there
        .open(&temporary)?;
    let written = (|| {
        if let Ok(old) = fs::metadata(path) {
            file.set_permissions(old.permissions())?;
        }
        file.write_all(data)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}
// snippet:usage
// snippet:prints a = 2
fn main() -> io::Result<()> {
    let path = Path::new("settings.toml");
    write_atomically(path, b"a = 1")?;
    write_atomically(path, b"a = 2")?;
    println!("{}", fs::read_to_string(path)?);
    // snippet:check
    // snippet:prints 0 true
    let names = fs::read_dir(".")?.map(|entry| entry.unwrap().file_name());
    println!(
        "{} {}",
        names
            .filter(|name| name.to_str().unwrap().ends_with(".tmp"))
            .count(),
        write_atomically(Path::new("no/such"), b"").is_err()
    );
    // snippet:usage
    Ok(())
}
