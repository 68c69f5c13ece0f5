// snippet:doc https://en.cppreference.com/w/c/string/byte/isdigit isdigit
// snippet:description Parse the notation of role-playing games, roll with a small seedable generator, and get the sum. The
// snippet:description notation is checked completely before anything is rolled.
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>

static unsigned roll_die(uint32_t *state, unsigned sides)
{
    *state = *state * 1664525u + 1013904223u; /* seedable, quick, for games only */
    return (*state >> 16) % sides + 1;
}

/* Reads one to three digits: not sscanf, which takes spaces and signs as well. */
static bool number(const char **at, unsigned *value)
{
    const char *start = *at;
    for (*value = 0; *at - start < 3 && isdigit((unsigned char)**at); ++*at)
        *value = *value * 10 + (unsigned)(**at - '0');
    return *at > start;
}

/* Rolls "2d6", "d20" or "3d8+2"; false if the notation is wrong. */
bool roll(const char *notation, uint32_t *state, int *total)
{
    unsigned dice = 1, sides = 0, bonus = 0;
    if ((*notation != 'd' && !number(&notation, &dice)) || *notation++ != 'd' || !number(&notation, &sides))
        return false;
    const bool minus = *notation == '-';
    if ((minus || *notation == '+') && (notation++, !number(&notation, &bonus)))
        return false;
    if (*notation || dice < 1 || dice > 99 || sides < 2 || sides > 999)
        return false;
    for (*total = minus ? -(int)bonus : (int)bonus; dice > 0; dice--)
        *total += (int)roll_die(state, sides);
    return true;
}
// snippet:usage
// snippet:prints 1 1 1 0 0 0 0
#include <stdio.h>

int main(void)
{
    uint32_t state = 7;
    int total = 0;
    printf("%d", roll("3d8+2", &state, &total));
    printf(" %d", total >= 5 && total <= 26);
    printf(" %d", roll("d20", &state, &total));
    printf(" %d %d", roll("3x6", &state, &total), roll("0d6", &state, &total));
    printf(" %d %d", roll("-1d6", &state, &total), roll("2d6+2-1", &state, &total));
    // snippet:check
    // snippet:prints 1
    const char *wrong[] = {"", "d", "3d", "3d+6", "3d 6", " 3d6", "3d6+", "3d6 ", "3d6+-1", "100d6", "3d1000", "3d6+1000"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (roll(wrong[i], &state, &total)) printf(" %s", wrong[i]);
    printf("\n%d", roll("1d2-10", &state, &total) && (total == -9 || total == -8));
    // snippet:usage
}
