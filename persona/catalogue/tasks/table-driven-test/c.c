// snippet:doc https://en.cppreference.com/w/c/string/byte/strtol strtol
// snippet:prints 0 failures
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *input, *rest;
    long want;
    int error;
} cases[] = {
    {"leading blank", " -7",  "",   -7, 0},
    {"stops at text", "12px", "px", 12, 0},
    {"no digits",     "px",   "px", 0,  0},
    {"too large", "99999999999999999999", "", LONG_MAX, ERANGE},
};

int main(void)
{
    int failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *rest;
        errno = 0;
        long got = strtol(cases[i].input, &rest, 10);
        if (got != cases[i].want || errno != cases[i].error || strcmp(rest, cases[i].rest))
            printf("FAIL %s: got %ld, \"%s\"\n", cases[i].name, got, rest), failures++;
    }
    return printf("%d failures\n", failures), failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
