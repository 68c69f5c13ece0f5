# snippet:doc https://docs.pytest.org/en/stable/how-to/fixtures.html Fixtures
# snippet:about pytest
# snippet:check
# snippet:prints 2 passed
# snippet:end
import sqlite3

import pytest


@pytest.fixture
def database(tmp_path):
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.execute("CREATE TABLE book (title TEXT PRIMARY KEY)")
    yield connection
    connection.close()  # also when the test failed


def test_a_book_is_stored(database):
    database.execute("INSERT INTO book VALUES ('Emma')")
    assert database.execute("SELECT count(*) FROM book").fetchone() == (1,)


def test_each_test_has_its_own_database(database):
    assert database.execute("SELECT count(*) FROM book").fetchone() == (0,)
