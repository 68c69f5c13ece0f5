// snippet:doc https://docs.rs/rusqlite/latest/rusqlite/struct.Statement.html rusqlite::Statement
// snippet:needs Rust 1.85
// snippet:into In a crate: cargo add rusqlite --features bundled
use rusqlite::{Connection, Result, params};

pub struct Reading<'a> {
    pub sensor: &'a str,
    pub taken_at: i64, // Unix seconds
    pub value: f64,
}

/// Stores readings in one transaction. Loading the same file twice changes
/// nothing, and an older reading never replaces a newer one.
pub fn store(db: &mut Connection, readings: &[Reading<'_>]) -> Result<usize> {
    let tx = db.transaction()?;
    let mut changed = 0;
    {
        let mut upsert = tx.prepare_cached(
            "INSERT INTO latest (sensor, taken_at, value) VALUES (?1, ?2, ?3)
             ON CONFLICT (sensor) DO UPDATE
             SET taken_at = excluded.taken_at, value = excluded.value
             WHERE excluded.taken_at > latest.taken_at",
        )?;
        for r in readings {
            changed += upsert.execute(params![r.sensor, r.taken_at, r.value])?;
        }
    }
    tx.commit()?;
    Ok(changed)
}
// snippet:usage
// snippet:prints 1 0
fn main() -> Result<()> {
    let mut db = Connection::open_in_memory()?;
    db.execute_batch(
        "CREATE TABLE latest (sensor TEXT PRIMARY KEY, taken_at INTEGER, value REAL)",
    )?;
    let roof = |taken_at, value| Reading {
        sensor: "roof",
        taken_at,
        value,
    };
    let batch = [roof(10, 3.5), roof(5, 9.0)];
    println!("{} {}", store(&mut db, &batch)?, store(&mut db, &batch)?);
    Ok(())
}
