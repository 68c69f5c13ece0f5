// snippet:doc https://pubs.opengroup.org/onlinepubs/9799919799/functions/getline.html POSIX getline
// snippet:needs a POSIX system
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Errors per hour of lines like "2026-03-01T10:00:01Z ERROR disk full", which
 * come in order of time. Lines of any length; those of another form are skipped. */
void errors_per_hour(FILE *log, FILE *out)
{
    char *line = NULL, level[8], current[14] = "";
    size_t capacity = 0;
    unsigned errors = 0;

    while (getline(&line, &capacity, log) > 0) {
        int end = 0; /* of the time: 19 only if each number has all its digits */
        int found = sscanf(line, "%*4[0-9]-%*2[0-9]-%*2[0-9]T%*2[0-9]:%*2[0-9]:%*2[0-9]%n%*[^ \t] %7s", &end, level);
        if (found != 1 || end != 19 || strcmp(level, "ERROR") != 0)
            continue;
        if (strncmp(line, current, 13) != 0) {
            if (errors)
                fprintf(out, "%s %u\n", current, errors);
            memcpy(current, line, 13);
            errors = 0;
        }
        errors++;
    }
    if (errors)
        fprintf(out, "%s %u\n", current, errors);
    free(line);
}
// snippet:usage
// snippet:prints 2026-03-01T10 2
// snippet:prints 2026-03-01T11 1
int main(void)
{
    FILE *log = tmpfile();
    fputs("2026-03-01T10:00:01Z ERROR disk full\n"
          "2026-03-01T10:00:02 INFO ERROR in words\n"
          "2026-03-01T10:00:02Z ERROR write failed\n"
          "2026-03-01T11:10:00Z ERROR timeout\n", log);
    // snippet:check
    fputs("  at write\n12 tests ERROR\n0123-45-67T8x: ERROR x\n2026-03-01T12:zz ERROR no time\n2026-03-01T12:00:03Z ERROR_COUNT=0\n", log);
    // snippet:usage
    rewind(log);
    errors_per_hour(log, stdout);
    fclose(log);
}
