// snippet:doc https://en.cppreference.com/w/c/io/fscanf sscanf
// snippet:description Parse the notation of role-playing games, roll with a small seedable generator, and get the sum. The
// snippet:description notation is checked completely before anything is rolled.
// snippet:prints 1 1 1 0 0 0 0
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static unsigned roll_die(uint32_t *state, unsigned sides)
{
    *state = *state * 1664525u + 1013904223u; /* seedable, quick, for games only */
    return (*state >> 16) % sides + 1;
}

/* Rolls "2d6", "d20" or "3d8+2"; false if the notation is wrong. */
bool roll(const char *notation, uint32_t *state, int *total)
{
    unsigned dice = 1, sides = 0;
    int bonus = 0, used = 0, more = 0;

    if (*notation == 'd' ? sscanf(notation, "d%3u%n", &sides, &used) != 1
                         : sscanf(notation, "%2ud%3u%n", &dice, &sides, &used) != 2)
        return false;
    notation += used;
    if (*notation && *notation != '+' && *notation != '-')
        return false; /* sides of more than three digits */
    if (*notation && (sscanf(notation, "%4d%n", &bonus, &more) != 1 || notation[more]))
        return false;
    if (dice < 1 || dice > 99 || sides < 2 || sides > 999)
        return false; /* %u takes -1 for a very large number */
    for (*total = bonus; dice > 0; dice--)
        *total += (int)roll_die(state, sides);
    return true;
}
// snippet:check
int main(void)
{
    uint32_t state = 7;
    int total = 0;
    printf("%d", roll("3d8+2", &state, &total));
    printf(" %d", total >= 5 && total <= 26);
    printf(" %d", roll("d20", &state, &total));
    printf(" %d %d", roll("3x6", &state, &total), roll("0d6", &state, &total));
    printf(" %d %d\n", roll("-1d6", &state, &total), roll("2d6+2-1", &state, &total));
}
