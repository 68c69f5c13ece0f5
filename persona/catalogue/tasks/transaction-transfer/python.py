# snippet:doc https://docs.python.org/3/library/sqlite3.html#how-to-use-the-connection-context-manager sqlite3 connection as a context manager
import sqlite3


class InsufficientFunds(Exception):
    pass


def transfer(db: sqlite3.Connection, source: str, target: str, cents: int) -> None:
    """Both balances change or neither does, whatever fails in between; db is not in autocommit mode."""
    if cents <= 0:
        raise ValueError("amount must be positive")
    with db:  # commit at the end, roll back on an exception
        taken = db.execute(
            # The condition is part of the update: no time between check and change.
            "UPDATE account SET cents = cents - ? WHERE id = ? AND cents >= ?",
            (cents, source, cents),
        )
        if taken.rowcount != 1:
            raise InsufficientFunds(f"account {source}: not there, or not enough money on it")
        given = db.execute("UPDATE account SET cents = cents + ? WHERE id = ?", (cents, target))
        if given.rowcount != 1:
            raise LookupError(f"no account {target}")
# snippet:check


db = sqlite3.connect(":memory:")
db.execute("CREATE TABLE account (id TEXT PRIMARY KEY, cents INTEGER NOT NULL CHECK (cents >= 0))")
db.executemany("INSERT INTO account VALUES (?, ?)", [("ana", 1000), ("bo", 0)])
db.commit()
transfer(db, "ana", "bo", 400)
for source, target, cents in (("ana", "bo", 900), ("ana", "cy", 100)):
    try:
        transfer(db, source, target, cents)
    except (InsufficientFunds, LookupError) as error:
        print(type(error).__name__, error)
print(db.execute("SELECT id, cents FROM account ORDER BY id").fetchall())
# snippet:prints InsufficientFunds account ana: not there, or not enough money on it
# snippet:prints LookupError no account cy
# snippet:prints [('ana', 600), ('bo', 400)]
