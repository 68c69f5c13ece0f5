// snippet:doc https://en.cppreference.com/w/c/algorithm/qsort qsort
// snippet:prints Cy Di Ann Bo
#include <stdlib.h>
#include <string.h>

struct player {
    char name[16];
    int score;
    double seconds;
};

/* Best score first, then the shorter time (never NaN), then the name. qsort is not stable:
 * the comparison must decide everything itself. */
static int by_rank(const void *left, const void *right)
{
    const struct player *a = left, *b = right;
    if (a->score != b->score)
        return a->score < b->score ? 1 : -1; /* a difference could overflow */
    if (a->seconds != b->seconds)
        return a->seconds > b->seconds ? 1 : -1;
    return strcmp(a->name, b->name);
}

void rank(struct player *players, size_t count)
{
    qsort(players, count, sizeof *players, by_rank);
}
// snippet:check
#include <stdio.h>

int main(void)
{
    struct player p[] = {{"Bo", 10, 2.5}, {"Ann", 10, 2.5}, {"Cy", 12, 9}, {"Di", 10, 1}};
    rank(p, 4);
    for (int i = 0; i < 4; i++)
        printf("%s ", p[i].name);
    puts("");
}
