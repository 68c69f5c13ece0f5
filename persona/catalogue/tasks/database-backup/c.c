// snippet:doc https://www.sqlite.org/backup.html SQLite online backup
// snippet:into Call it with an open database, and link it with -lsqlite3
// snippet:description Copy a SQLite database while others use it, some pages at a time, and check the copy's integrity. After a write
// snippet:description by another connection the copy begins anew. Anything but `SQLITE_OK` says that it must not be used.
// snippet:prints 0
// snippet:prints 7
#include <sqlite3.h>
#include <string.h>

/* Copies a database while others use it, some pages at a time, so that they can
 * write in between; waits while it is locked, and for ever if source itself is in the midst
 * of writing, or is the file at path. Then reads the copy back. SQLite's codes. */
int backup_database(sqlite3 *source, const char *path)
{
    sqlite3 *copy;
    sqlite3_stmt *check = NULL;
    int rc = sqlite3_open(path, &copy);
    sqlite3_backup *backup = rc ? NULL : sqlite3_backup_init(copy, "main", source, "main");
    if (backup) {
        do {
            rc = sqlite3_backup_step(backup, 64);
            if (rc == SQLITE_BUSY || rc == SQLITE_LOCKED)
                sqlite3_sleep(50);
        } while (rc == SQLITE_OK || rc == SQLITE_BUSY || rc == SQLITE_LOCKED);
        sqlite3_backup_finish(backup);
    }
    rc = sqlite3_errcode(copy);
    sqlite3_close(copy); /* also after a failed open */
    if (rc != SQLITE_OK)
        return rc;
    /* Opened anew: the file is read, and not what the first connection remembers. */
    rc = sqlite3_open_v2(path, &copy, SQLITE_OPEN_READWRITE, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(copy, "PRAGMA integrity_check", -1, &check, NULL);
    if (rc == SQLITE_OK && (sqlite3_step(check) != SQLITE_ROW
                            || strcmp((const char *)sqlite3_column_text(check, 0), "ok")))
        rc = SQLITE_CORRUPT;
    sqlite3_finalize(check);
    sqlite3_close(copy);
    return rc;
}
// snippet:check
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    sqlite3 *db;
    char path[64];
    snprintf(path, sizeof path, "/tmp/snippet-%d.db", (int)getpid());
    sqlite3_open(":memory:", &db);
    sqlite3_exec(db, "CREATE TABLE t (x); INSERT INTO t VALUES (7)", NULL, NULL, NULL);
    printf("%d\n", backup_database(db, path));
    sqlite3_close(db);
    sqlite3_open(path, &db);
    sqlite3_stmt *q;
    sqlite3_prepare_v2(db, "SELECT x FROM t", -1, &q, NULL);
    sqlite3_step(q);
    printf("%d\n", sqlite3_column_int(q, 0));
    sqlite3_finalize(q);
    sqlite3_close(db);
    unlink(path);
}
