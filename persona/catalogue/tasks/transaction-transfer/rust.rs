// snippet:doc https://docs.rs/rusqlite/latest/rusqlite/struct.Transaction.html rusqlite::Transaction
// snippet:needs Rust 1.85
// snippet:into In a crate: cargo add thiserror && cargo add rusqlite --features bundled
use rusqlite::{Connection, TransactionBehavior, params};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum TransferError {
    #[error("account {0} does not exist or its balance forbids it")]
    Refused(i64),
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
}

/// Both accounts change, or neither: a transaction that is dropped without
/// `commit` rolls back, so every early return with `?` is safe.
pub fn transfer(db: &mut Connection, from: i64, to: i64, cents: u32) -> Result<(), TransferError> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let debit = "UPDATE account SET cents = cents - ?2 WHERE id = ?1 AND cents >= ?2";
    if tx.execute(debit, params![from, cents])? != 1 {
        return Err(TransferError::Refused(from));
    }
    let credit = "UPDATE account SET cents = cents + ?2 WHERE id = ?1
                  AND cents <= 0x7fffffffffffffff - ?2"; // SQLite would go on with a float
    if tx.execute(credit, params![to, cents])? != 1 {
        return Err(TransferError::Refused(to));
    }
    tx.commit()?;
    Ok(())
}
// snippet:usage
// snippet:prints Ok(())
// snippet:prints account 1 does not exist or its balance forbids it
fn main() -> Result<(), rusqlite::Error> {
    let mut db = Connection::open_in_memory()?;
    db.execute_batch(
        "CREATE TABLE account (id INTEGER PRIMARY KEY, cents INTEGER NOT NULL);
         INSERT INTO account VALUES (1, 100), (2, 0);",
    )?;
    println!("{:?}", transfer(&mut db, 1, 2, 30));
    println!("{}", transfer(&mut db, 1, 2, 80).unwrap_err());
    // snippet:check
    // snippet:prints account 9 does not exist or its balance forbids it
    // snippet:prints 70
    println!("{}", transfer(&mut db, 1, 9, 30).unwrap_err());
    let left: i64 = db.query_row("SELECT cents FROM account WHERE id = 1", [], |r| r.get(0))?;
    println!("{left}");
    // snippet:usage
    Ok(())
}
