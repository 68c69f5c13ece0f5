# snippet:doc https://docs.python.org/3/library/sqlite3.html#how-to-use-placeholders-to-bind-values-in-sql-queries Bind values in SQL queries
import sqlite3


def open_orders(db: sqlite3.Connection, customer: str, min_total: int) -> list[sqlite3.Row]:
    # Values travel beside the statement, never inside it: no quoting, no injection.
    return db.execute(
        """
        SELECT id, total_cents
        FROM orders
        WHERE customer = :customer AND total_cents >= :min_total AND shipped_at IS NULL
        ORDER BY id
        """,
        {"customer": customer, "min_total": min_total},
    ).fetchall()


db = sqlite3.connect(":memory:")
db.row_factory = sqlite3.Row
db.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, customer, total_cents, shipped_at)")
with db:  # commits on success, rolls back on an exception
    db.executemany(
        "INSERT INTO orders (customer, total_cents) VALUES (?, ?)",
        [("O'Brien", 1999), ("O'Brien", 250), ("Yilmaz", 4200)],
    )
print([dict(row) for row in open_orders(db, "O'Brien", 1000)])
# snippet:check
# snippet:measures a text that would end the statement stays a value
print([dict(row) for row in open_orders(db, "' OR 1=1 --", 0)])
# snippet:prints [{'id': 1, 'total_cents': 1999}]
# snippet:prints []
