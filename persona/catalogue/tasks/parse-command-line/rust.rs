// snippet:doc https://docs.rs/clap/latest/clap/_derive/index.html clap derive
// snippet:prints 3 Json ["a.txt"]
// snippet:prints 2 error: invalid value '0' for '--top <TOP>': number would be zero for non-zero type
use clap::{Parser, ValueEnum};
use std::path::PathBuf;

/// Counts words in files.
#[derive(Debug, Parser)]
#[command(name = "words", version)]
pub struct Args {
    /// Files to read; standard input when there are none
    files: Vec<PathBuf>,

    /// How many words to show
    #[arg(short = 'n', long, default_value = "10")]
    top: std::num::NonZeroU16,

    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

// In main: `let args = Args::parse();` says what is wrong and exits with status 2.
// snippet:check
fn main() {
    let args = Args::try_parse_from(["words", "-n", "3", "--format", "json", "a.txt"]).unwrap();
    println!("{} {:?} {:?}", args.top, args.format, args.files);
    let error = Args::try_parse_from(["words", "--top", "0"]).unwrap_err();
    println!(
        "{} {}",
        error.exit_code(),
        error.to_string().lines().next().unwrap()
    );
    let _ = Format::Text;
}
