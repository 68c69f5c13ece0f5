// snippet:doc https://en.cppreference.com/w/c/string/byte/strtol strtol
// snippet:prints 0 failures
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *input, *rest;
    long want;
    bool out_of_range;
} cases[] = {
    {"leading blank", " -7",  "",   -7, false},
    {"stops at text", "12px", "px", 12, false},
    {"no digits",     "px",   "px", 0,  false},
    {"too large", "99999999999999999999", "", LONG_MAX, true},
};

int main(void)
{
    int failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *rest;
        errno = 0;
        long got = strtol(cases[i].input, &rest, 10);
        bool out_of_range = errno == ERANGE; // without digits, some systems set EINVAL
        if (got != cases[i].want || out_of_range != cases[i].out_of_range || strcmp(rest, cases[i].rest))
            printf("FAIL %s: got %ld, \"%s\"\n", cases[i].name, got, rest), failures++;
    }
    return printf("%d failures\n", failures), failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
