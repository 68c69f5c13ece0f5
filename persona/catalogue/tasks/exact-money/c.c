// snippet:doc https://en.cppreference.com/w/c/types/integer stdint.h
// snippet:prints 3.34 3.33 3.33 -0.05 1
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef int64_t cents; /* exact: no floating point near money */

/* Splits a total so that the parts, at least one, differ by a cent at most and add up to it. */
void split_cents(cents total, cents *parts, size_t count)
{
    cents n = (cents)count;
    for (cents i = 0; i < n; i++)
        parts[i] = total / n + (i < total % n) - (i < -(total % n));
}

/* Writes like snprintf: "-0.05", "12.30". */
int format_cents(char *buffer, size_t size, cents amount)
{
    uint64_t magnitude = amount < 0 ? 0 - (uint64_t)amount : (uint64_t)amount;
    return snprintf(buffer, size, "%s%" PRIu64 ".%02" PRIu64, amount < 0 ? "-" : "",
                    magnitude / 100, magnitude % 100);
}
// snippet:usage
int main(void)
{
    cents parts[3], refund[3];
    char text[3][32], negative[32];
    split_cents(1000, parts, 3);
    split_cents(-1000, refund, 3);
    for (int i = 0; i < 3; i++)
        format_cents(text[i], sizeof text[i], parts[i]);
    format_cents(negative, sizeof negative, -5);
    printf("%s %s %s %s %d\n", text[0], text[1], text[2], negative, refund[0] + refund[1] + refund[2] == -1000);
}
