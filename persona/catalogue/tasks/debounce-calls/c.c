// snippet:doc https://en.cppreference.com/w/c/types/integer stdint.h
// snippet:title Debounce a switch
// snippet:description Believe a new level of a switch only after it has been the same for some ticks of a timer. The function is
// snippet:description called once per tick and says when the believed level has changed.
// snippet:why A mechanical contact bounces for milliseconds; one press must count once.
// snippet:prints 1 at 10 ms
// snippet:prints 0 at 21 ms
#include <stdbool.h>
#include <stdint.h>

/* A mechanical switch bounces for some milliseconds. A new level counts only
 * after it has been stable for `hold` calls of the 1 ms timer tick. */
struct debounced {
    bool level;     /* the level we believe */
    uint8_t stable; /* ticks the input has differed from it */
    uint8_t hold;
};

/* Call once per tick; true when the believed level has just changed. */
bool debounce(struct debounced *d, bool input)
{
    if (input == d->level) {
        d->stable = 0;
        return false;
    }
    if (++d->stable < d->hold)
        return false;
    d->level = input;
    d->stable = 0;
    return true;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    struct debounced button = {.hold = 4};
    const char *trace = "0010110111111111010000000";
    for (int t = 0; trace[t]; t++)
        if (debounce(&button, trace[t] == '1'))
            printf("%d at %d ms\n", button.level, t);
}
