// snippet:doc https://www.sqlite.org/lang_upsert.html SQLite UPSERT
// snippet:into Call it with an open database that has the table latest, and link it with -lsqlite3
// snippet:prints 0 0
// snippet:prints 3.5
// snippet:prints too long: 18, 1 row
#include <sqlite3.h>
#include <stddef.h>

/* Keeps the latest reading of every sensor; the sensor is the primary key, and never NULL. An old reading that
 * arrives late changes nothing, and sending the same one twice does no harm. */
static const char UPSERT[] =
    "INSERT INTO latest (sensor, taken_at, value) VALUES (?1, ?2, ?3) "
    "ON CONFLICT (sensor) DO UPDATE SET taken_at = excluded.taken_at, value = excluded.value "
    "WHERE excluded.taken_at > latest.taken_at";

int store_reading(sqlite3 *db, const char *sensor, sqlite3_int64 taken_at, double value)
{
    sqlite3_stmt *statement;
    int rc = sqlite3_prepare_v2(db, UPSERT, sizeof UPSERT, &statement, NULL);
    if (rc != SQLITE_OK)
        return rc;
    rc = sqlite3_bind_text(statement, 1, sensor, -1, SQLITE_TRANSIENT);
    if (rc == SQLITE_OK) { /* otherwise the sensor would be NULL, and NULL is no conflict */
        sqlite3_bind_int64(statement, 2, taken_at);
        sqlite3_bind_double(statement, 3, value);
        sqlite3_step(statement);
    }
    int done = sqlite3_finalize(statement); /* repeats the error of the step */
    return rc == SQLITE_OK ? done : rc;
}
// snippet:check
#include <stdio.h>

int main(void)
{
    sqlite3 *db;
    sqlite3_open(":memory:", &db);
    sqlite3_exec(db, "CREATE TABLE latest (sensor TEXT PRIMARY KEY, taken_at INTEGER, value REAL)", NULL, NULL, NULL);
    int a = store_reading(db, "roof", 10, 3.5), b = store_reading(db, "roof", 5, 9);
    printf("%d %d\n", a, b);
    sqlite3_stmt *q;
    sqlite3_prepare_v2(db, "SELECT value FROM latest", -1, &q, NULL);
    sqlite3_step(q);
    printf("%.1f\n", sqlite3_column_double(q, 0));
    sqlite3_finalize(q);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 40);
    int refused = store_reading(db, "a sensor whose name is longer than a text may be here", 1, 2);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 100000);
    sqlite3_prepare_v2(db, "SELECT count(*) FROM latest", -1, &q, NULL);
    sqlite3_step(q);
    printf("too long: %d, %d row\n", refused, sqlite3_column_int(q, 0));
    sqlite3_finalize(q);
    sqlite3_close(db);
}
