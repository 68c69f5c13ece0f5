// snippet:doc https://doc.rust-lang.org/std/collections/struct.BTreeMap.html std::collections::BTreeMap
// snippet:prints log: Added("json")
// snippet:prints port: Replaced { old: "80", new: "443" }
// snippet:prints tls: Removed("off")
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, PartialEq)]
pub enum Change<'a> {
    Added(&'a str),
    Removed(&'a str),
    Replaced { old: &'a str, new: &'a str },
}

type Settings = BTreeMap<String, String>;

/// What turns `old` into `new`, by key. No text is copied.
pub fn diff<'a>(old: &'a Settings, new: &'a Settings) -> BTreeMap<&'a str, Change<'a>> {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    keys.into_iter()
        .filter_map(|key| {
            let change = match (old.get(key), new.get(key)) {
                (None, Some(new)) => Change::Added(new),
                (Some(old), None) => Change::Removed(old),
                (Some(old), Some(new)) if old != new => Change::Replaced { old, new },
                _ => return None,
            };
            Some((key.as_str(), change))
        })
        .collect()
}
// snippet:usage
fn main() {
    let settings = |pairs: &[(&str, &str)]| -> Settings {
        pairs
            .iter()
            .map(|(k, v)| (k.to_string(), v.to_string()))
            .collect()
    };
    let old = settings(&[("port", "80"), ("host", "a"), ("tls", "off")]);
    let new = settings(&[("port", "443"), ("host", "a"), ("log", "json")]);
    for (key, change) in diff(&old, &new) {
        println!("{key}: {change:?}");
    }
}
