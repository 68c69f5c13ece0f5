// snippet:doc https://pubs.opengroup.org/onlinepubs/9799919799/functions/getopt.html POSIX getopt
// snippet:prints 1 3 1 a.txt
// snippet:prints 0
// snippet:prints 0
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct options { long count; bool verbose; const char *file; };

/* tool [-v] [-n count] file: false, with a message, if it is anything else. */
bool parse_options(int argc, char *argv[], struct options *o)
{
    *o = (struct options){.count = 10};
    for (int c; (c = getopt(argc, argv, "n:v")) != -1;) {
        char *end = "";
        errno = 0;
        switch (c) {
        case 'n': o->count = strtol(optarg, &end, 10); break;
        case 'v': o->verbose = true; break;
        default: return false; /* getopt has said what is wrong */
        }
        if (*end || errno || o->count < 1)
            return fprintf(stderr, "-n wants a number from 1\n"), false;
    }
    if (optind != argc - 1)
        return fprintf(stderr, "usage: %s [-v] [-n count] file\n", argv[0]), false;
    o->file = argv[optind];
    return true;
}
// snippet:check
int main(void)
{
    struct options o;
    char *good[] = {"tool", "-v", "-n", "3", "a.txt", NULL};
    bool ok = parse_options(5, good, &o);
    printf("%d %ld %d %s\n", ok, o.count, o.verbose, o.file);
    char *bad[] = {"tool", "-n", "3x", "a.txt", NULL};
    optind = 1;
    printf("%d\n", parse_options(4, bad, &o));
    char *late[] = {"tool", "a.txt", "-x", NULL};
    optind = 0; /* for glibc: begin anew */
    printf("%d\n", parse_options(3, late, &o));
}
