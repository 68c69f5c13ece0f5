# snippet:doc https://fastapi.tiangolo.com/tutorial/dependencies/dependencies-with-yield/ Dependencies with yield
# snippet:about FastAPI
# snippet:needs FastAPI 0.121
# snippet:into Save it as main.py, beside a shop.db with the tables users (email text PRIMARY KEY) and log (what text): pip install "fastapi[standard]", then fastapi dev main.py.
# snippet:check
# snippet:prints 201 1
# snippet:prints 409 1
# snippet:end
import sqlite3
from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException

app = FastAPI()


def transaction() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect("shop.db", check_same_thread=False)  # routes run in a pool of threads
    try:
        with connection:  # commits, or rolls back after an exception
            yield connection
    finally:
        connection.close()


@app.post("/users/{email}", status_code=201)
def register(email: str, db: Annotated[sqlite3.Connection, Depends(transaction, scope="function")]):
    db.execute("INSERT INTO log VALUES ('register')")
    try:
        db.execute("INSERT INTO users VALUES (?)", (email,))
    except sqlite3.IntegrityError:
        raise HTTPException(409, "this address is registered already")


# snippet:check
from fastapi.testclient import TestClient
setup = sqlite3.connect("shop.db")
setup.executescript("CREATE TABLE users (email text PRIMARY KEY); CREATE TABLE log (what text);")
client = TestClient(app)
for _ in range(2):
    status = client.post("/users/ada@example.com").status_code
    print(status, setup.execute("SELECT count(*) FROM log").fetchone()[0])
setup.close()
