// snippet:doc https://docs.rs/rayon/latest/rayon/ Rayon
// snippet:description Count the lines of many files, as many at a time as the machine has cores. Each is read whole, and memory is
// snippet:description needed for only so many of them at once.
// snippet:why Files that do not depend on each other can be worked on by all cores.
// snippet:prints [1, 2, 3]
// snippet:prints true
use anyhow::{Context, Result};
use rayon::prelude::*;
use std::{fs, path::PathBuf};

/// Counts the lines of many files on all cores. Results keep the order of the
/// paths, and a file that cannot be read ends the work with its name.
pub fn line_counts(paths: &[PathBuf]) -> Result<Vec<usize>> {
    paths
        .par_iter()
        .map(|path| {
            let text = fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            Ok(text.lines().count())
        })
        .collect()
}
// snippet:check
fn main() -> Result<()> {
    let dir = std::env::temp_dir().join(format!("snippet-{}", std::process::id()));
    fs::create_dir_all(&dir)?;
    let paths: Vec<_> = (1..=3).map(|n| dir.join(format!("{n}.txt"))).collect();
    for (n, path) in paths.iter().enumerate() {
        fs::write(path, "line\n".repeat(n + 1))?;
    }
    println!("{:?}", line_counts(&paths)?);
    println!("{}", line_counts(&[dir.join("none")]).is_err());
    fs::remove_dir_all(dir)?;
    Ok(())
}
