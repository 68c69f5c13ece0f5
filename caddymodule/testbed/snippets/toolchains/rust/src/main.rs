//! Only here so that the crates the snippets use are compiled.
fn main() {}
