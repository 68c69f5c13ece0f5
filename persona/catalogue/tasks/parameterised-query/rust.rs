// snippet:doc https://docs.rs/rusqlite/latest/rusqlite/struct.Connection.html rusqlite::Connection
// snippet:needs Rust 1.85
// snippet:into In a crate: cargo add rusqlite --features bundled
use rusqlite::{Connection, Result, params};

#[derive(Debug)]
pub struct Customer {
    pub id: i64,
    pub name: String,
}

/// The city is bound as a parameter: whatever a user types stays a value.
pub fn customers_in(db: &Connection, city: &str, limit: u32) -> Result<Vec<Customer>> {
    let mut statement =
        db.prepare_cached("SELECT id, name FROM customers WHERE city = ?1 ORDER BY name LIMIT ?2")?;
    let rows = statement.query_map(params![city, limit], |row| {
        Ok(Customer {
            id: row.get("id")?,
            name: row.get("name")?,
        })
    })?;
    rows.collect()
}
// snippet:usage
// snippet:prints [Customer { id: 2, name: "Ada" }, Customer { id: 1, name: "Bo" }]
// snippet:prints 0
fn main() -> Result<()> {
    let db = Connection::open_in_memory()?;
    db.execute_batch(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
         INSERT INTO customers (name, city) VALUES ('Bo', 'Rome'), ('Ada', 'Rome'), ('Cy', 'Bath');",
    )?;
    println!("{:?}", customers_in(&db, "Rome", 10)?);
    // snippet:measures a text that would end the statement stays a value
    println!("{}", customers_in(&db, "' OR 1=1 --", 10)?.len());
    Ok(())
}
