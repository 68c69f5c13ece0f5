// snippet:doc https://docs.rs/regex/latest/regex/ regex
// snippet:needs Rust 1.80
// snippet:prints {"2026-03-01T10": (2, "disk full"), "2026-03-01T11": (1, "timeout")}
use regex::Regex;
use std::{collections::BTreeMap, sync::LazyLock};

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?<hour>\d{4}-\d\d-\d\dT\d\d):\d\d:\d\d\S* (?<level>[A-Z]+) (?<text>.*)$")
        .unwrap()
});

/// Errors per hour with the first message of each: often the cause of the rest.
pub fn errors_per_hour(log: &str) -> BTreeMap<&str, (usize, &str)> {
    let mut hours = BTreeMap::new();
    for line in log.lines() {
        let Some(parts) = LINE.captures(line) else {
            continue; // a stack trace or another program's line
        };
        let (_, [hour, level, text]) = parts.extract();
        if level == "ERROR" {
            hours.entry(hour).or_insert((0, text)).0 += 1;
        }
    }
    hours
}
// snippet:check
fn main() {
    let log = "2026-03-01T09:59:58Z INFO started
2026-03-01T10:00:01Z ERROR disk full
    at write()
2026-03-01T10:zz ERROR no time
2026-03-01T10:00:02Z ERROR write failed
2026-03-01T11:10:00Z ERROR timeout";
    println!("{:?}", errors_per_hour(log));
}
