// snippet:doc https://doc.rust-lang.org/std/str/trait.FromStr.html std::str::FromStr
// snippet:needs Rust 1.79
// snippet:prints 127.0.0.1:8080 4 false
// snippet:prints LISTEN="localhost": invalid socket address syntax
// snippet:prints WORKERS="900": number too large to fit in target type
use std::{fmt::Display, net::SocketAddr, str::FromStr};

#[derive(Debug)]
pub struct Config {
    listen: SocketAddr,
    workers: u8,
    verbose: bool,
}

/// Reads settings through `get` and reports all mistakes at once. In production `get` is
/// `|key| Some(std::env::var_os(key)?.to_string_lossy().into_owned())`.
pub fn load(get: impl Fn(&str) -> Option<String>) -> Result<Config, Vec<String>> {
    fn parse<T: FromStr<Err: Display>>(key: &str, text: &str) -> Result<T, String> {
        text.parse().map_err(|e| format!("{key}={text:?}: {e}"))
    }
    let setting = |key: &str, default: &str| get(key).unwrap_or_else(|| default.to_owned());

    let listen = parse("LISTEN", &setting("LISTEN", "127.0.0.1:8080"));
    let workers = parse("WORKERS", &setting("WORKERS", "4"));
    let verbose = parse("VERBOSE", &setting("VERBOSE", "false"));
    match (listen, workers, verbose) {
        (Ok(listen), Ok(workers), Ok(verbose)) => Ok(Config {
            listen,
            workers,
            verbose,
        }),
        (l, w, v) => Err([l.err(), w.err(), v.err()].into_iter().flatten().collect()),
    }
}
// snippet:usage
fn main() {
    let c = load(|_| None).unwrap();
    println!("{} {} {}", c.listen, c.workers, c.verbose);
    let wrong = |key: &str| match key {
        "LISTEN" => Some("localhost".to_string()),
        "WORKERS" => Some("900".to_string()),
        _ => None,
    };
    for mistake in load(wrong).unwrap_err() {
        println!("{mistake}");
    }
}
