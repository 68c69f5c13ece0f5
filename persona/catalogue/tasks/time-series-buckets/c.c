// snippet:doc https://en.cppreference.com/w/c/language/struct Struct declaration
// snippet:prints 2 6
// snippet:prints 0 0
// snippet:prints 1 7
// snippet:prints 1 outside, 2 to 4
#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct reading { int64_t time; double value; };
struct bucket { unsigned count; double sum, low, high; };

/* Sorts readings into `count` intervals of `width` seconds from `start` on.
 * A bucket with count 0 is a gap; the number of readings outside is returned. */
size_t fill_buckets(const struct reading *readings, size_t n, int64_t start, int64_t width,
                    struct bucket *buckets, size_t count)
{
    size_t outside = 0;
    for (size_t i = 0; i < count; i++)
        buckets[i] = (struct bucket){.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < n; i++) {
        /* Unsigned: the distance of two 64-bit times may not fit into one. */
        uint64_t index = ((uint64_t)readings[i].time - (uint64_t)start) / (uint64_t)width;
        if (readings[i].time < start || index >= count) {
            outside++;
            continue;
        }
        struct bucket *b = &buckets[index];
        b->count++;
        b->sum += readings[i].value;
        b->low = fmin(b->low, readings[i].value);
        b->high = fmax(b->high, readings[i].value);
    }
    return outside;
}
// snippet:check
#include <stdio.h>

int main(void)
{
    const struct reading far = {INT64_MAX, 1};
    struct bucket one;
    if (fill_buckets(&far, 1, INT64_MIN, 60, &one, 1) != 1) return 1;
    const struct reading r[] = {{1000, 2}, {1020, 4}, {1130, 7}, {990, 1}};
    struct bucket b[3];
    size_t outside = fill_buckets(r, 4, 1000, 60, b, 3);
    for (int i = 0; i < 3; i++)
        printf("%u %g\n", b[i].count, b[i].sum);
    printf("%zu outside, %g to %g\n", outside, b[0].low, b[0].high);
}
