// snippet:doc https://www.sqlite.org/c3ref/bind_blob.html sqlite3_bind
// snippet:into Link it with -lsqlite3
#include <sqlite3.h>
#include <stdio.h>

/* Prints the customers of a city; the city is bound as a value, so no text
 * can change the statement. Returns an SQLite result code. */
int print_customers(sqlite3 *db, const char *city)
{
    static const char sql[] = "SELECT id, ifnull(name, '') FROM customer WHERE city = ?1 ORDER BY name";
    sqlite3_stmt *query;
    int rc = sqlite3_prepare_v2(db, sql, sizeof sql, &query, NULL);
    if (rc != SQLITE_OK) {
        fprintf(stderr, "prepare: %s\n", sqlite3_errmsg(db));
        return rc;
    }
    if ((rc = sqlite3_bind_text(query, 1, city, -1, SQLITE_STATIC)) == SQLITE_OK)
        while ((rc = sqlite3_step(query)) == SQLITE_ROW)
            printf("%lld %s\n", (long long)sqlite3_column_int64(query, 0),
                   (const char *)sqlite3_column_text(query, 1));
    sqlite3_finalize(query);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}
// snippet:usage
// snippet:prints 2 Ada
// snippet:prints 1 Bo
int main(void)
{
    sqlite3 *db;
    sqlite3_open(":memory:", &db);
    sqlite3_exec(db, "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
                     "INSERT INTO customer (name, city) VALUES ('Bo', 'Rome'), ('Ada', 'Rome');", NULL, NULL, NULL);
    print_customers(db, "Rome");
    // snippet:check
    // snippet:measures a text that would end the statement stays a value
    // snippet:prints 0
    printf("%d\n", print_customers(db, "' OR 1=1 --"));
    // snippet:usage
    sqlite3_close(db);
}
