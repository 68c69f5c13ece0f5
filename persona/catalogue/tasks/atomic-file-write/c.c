// snippet:doc https://pubs.opengroup.org/onlinepubs/9799919799/functions/rename.html POSIX rename
// snippet:prints 0 0
// snippet:prints a=22
// snippet:prints -1
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Replaces path with new content, readable for its owner only: 0, or -1 with
 * errno set. Readers, also after a power cut, find the old file or the new. */
int write_file_atomically(const char *path, const void *data, size_t size)
{
    char temporary[4096];
    if (snprintf(temporary, sizeof temporary, "%s.XXXXXX", path) >= (int)sizeof temporary)
        return errno = ENAMETOOLONG, -1;
    int fd = mkstemp(temporary);
    if (fd < 0)
        return -1;
    const char *next = data;
    for (ssize_t n; size > 0; next += n, size -= (size_t)n) {
        do n = write(fd, next, size); while (n < 0 && errno == EINTR);
        if (n < 0)
            break;
    }
    int failed = size > 0 || fsync(fd) < 0;
    if (close(fd) < 0 || failed || rename(temporary, path) < 0) {
        int why = errno;
        unlink(temporary);
        return errno = why, -1;
    }
    return 0;
}
// snippet:check
int main(void)
{
    char dir[] = "/tmp/snippet-XXXXXX", path[64], got[16] = "";
    if (!mkdtemp(dir))
        return 1;
    snprintf(path, sizeof path, "%s/settings", dir);
    int first = write_file_atomically(path, "a=1", 3);
    printf("%d %d\n", first, write_file_atomically(path, "a=22", 4));
    FILE *f = fopen(path, "r");
    printf("%s\n", fgets(got, sizeof got, f));
    fclose(f);
    unlink(path);
    rmdir(dir);
    printf("%d\n", write_file_atomically(path, "", 0));
}
