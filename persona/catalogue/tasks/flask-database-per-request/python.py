# snippet:doc https://flask.palletsprojects.com/en/stable/tutorial/database/ Define and access the database
# snippet:about Flask
# snippet:usage
# snippet:end
import sqlite3

from flask import Flask, g

app = Flask(__name__)
app.config.from_mapping(DATABASE="books.db")


def database():
    if "database" not in g:
        g.database = sqlite3.connect(app.config["DATABASE"])
        g.database.row_factory = sqlite3.Row
    return g.database


@app.teardown_appcontext
def close_database(error):
    if (connection := g.pop("database", None)) is not None:
        connection.close()


@app.get("/statistics")
def statistics():
    row = database().execute("SELECT count(*) AS n FROM book").fetchone()
    return {"books": row["n"]}


# snippet:usage
# snippet:prints {'books': 2}
setup = sqlite3.connect("books.db")
with setup:
    setup.execute("CREATE TABLE IF NOT EXISTS book (title text PRIMARY KEY)")
    setup.execute("INSERT OR IGNORE INTO book VALUES ('Emma'), ('Persuasion')")
setup.close()
print(app.test_client().get("/statistics").json)
# snippet:check
# snippet:prints closed
with app.app_context():
    kept = database()
    assert database() is kept
try:
    kept.execute("SELECT 1")
except sqlite3.ProgrammingError:
    print("closed")
