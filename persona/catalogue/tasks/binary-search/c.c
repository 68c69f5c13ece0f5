// snippet:doc https://en.cppreference.com/w/c/types/size_t size_t
// snippet:prints 1 6 0 4
#include <stddef.h>

/* The first index whose value is not below the limit; count if there is none.
 * Written for boundaries: before the result all are smaller, from it on none. */
size_t lower_bound(const int *sorted, size_t count, int limit)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2; /* low + high could overflow */
        if (sorted[middle] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many values lie in [from, to), with from <= to: two boundaries, no loop over them. */
size_t count_between(const int *sorted, size_t count, int from, int to)
{
    return lower_bound(sorted, count, to) - lower_bound(sorted, count, from);
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    const int values[] = {2, 3, 3, 3, 8, 13};
    printf("%zu %zu %zu %zu\n", lower_bound(values, 6, 3), lower_bound(values, 6, 99),
           lower_bound(values, 0, 1), count_between(values, 6, 3, 9));
}
