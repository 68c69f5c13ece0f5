// snippet:doc https://www.sqlite.org/lang_transaction.html SQLite transactions
// snippet:into Call it with an open database that has the table account, and link it with -lsqlite3
// snippet:prints 1 0 0 0
// snippet:prints 70 30
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

/* Adds cents to an account unless it would go below zero or beyond 64 bits, where SQLite goes on with a float. */
static bool add(sqlite3 *db, sqlite3_int64 account, sqlite3_int64 cents)
{
    const char *sql = "UPDATE account SET cents = cents + ?2 "
                      "WHERE id = ?1 AND cents + ?2 BETWEEN 0 AND 0x7fffffffffffffff";
    sqlite3_stmt *update;
    if (sqlite3_prepare_v2(db, sql, -1, &update, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_int64(update, 1, account);
    sqlite3_bind_int64(update, 2, cents);
    bool done = sqlite3_step(update) == SQLITE_DONE && sqlite3_changes(db) == 1;
    sqlite3_finalize(update);
    return done;
}

/* Both accounts change, or neither. */
bool transfer(sqlite3 *db, sqlite3_int64 from, sqlite3_int64 to, sqlite3_int64 cents)
{
    if (cents <= 0 || sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
        return false;
    bool done = add(db, from, -cents) && add(db, to, cents)
        && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (!done)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return done;
}
// snippet:check
#include <stdio.h>

int main(void)
{
    sqlite3 *db;
    sqlite3_open(":memory:", &db);
    sqlite3_exec(db, "CREATE TABLE account (id INTEGER PRIMARY KEY, cents INTEGER);"
                     "INSERT INTO account VALUES (1, 100), (2, 0);", NULL, NULL, NULL);
    bool a = transfer(db, 1, 2, 30), b = transfer(db, 1, 2, 80), c = transfer(db, 1, 9, 10), d = transfer(db, 1, 2, -30);
    printf("%d %d %d %d\n", a, b, c, d);
    sqlite3_stmt *q;
    sqlite3_prepare_v2(db, "SELECT group_concat(cents, ' ') FROM account", -1, &q, NULL);
    sqlite3_step(q);
    printf("%s\n", (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    sqlite3_close(db);
}
