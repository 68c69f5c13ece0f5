// snippet:doc https://en.cppreference.com/w/c/string/byte/strtol strtol
// snippet:prints 0 failures
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name, *input;
    long want;
    int error; /* expected errno */
    const char *rest;
} cases[] = {
    {"plain",        "42",   42,  0, ""},
    {"leading blank", " -7", -7,  0, ""},
    {"stops at text", "12px", 12, 0, "px"},
    {"no digits",    "px",   0,   0, "px"},
    {"too large", "99999999999999999999", 0x7fffffffffffffff, ERANGE, ""},
};

int test_strtol(void) /* the number of failures */
{
    int failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *rest;
        errno = 0;
        long got = strtol(cases[i].input, &rest, 10);
        if (got != cases[i].want || errno != cases[i].error || *rest != *cases[i].rest)
            failures++, printf("FAIL %s: got %ld, \"%s\"\n", cases[i].name, got, rest);
    }
    return failures;
}
// snippet:check
int main(void)
{
    printf("%d failures\n", test_strtol());
}
