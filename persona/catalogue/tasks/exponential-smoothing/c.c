// snippet:doc https://en.cppreference.com/w/c/types/integer stdint.h
// snippet:prints 200 201 199 287 276 267 258
#include <stdbool.h>
#include <stdint.h>

/*
 * Exponential moving average in integers, without floating point.
 * Each sample counts for 1/2^shift, with a shift of 0 to 14; the state keeps 2^shift times
 * the mean, so that small differences are not lost to rounding.
 */
struct smoother {
    int32_t scaled;
    uint8_t shift;
    bool primed;
};

int16_t smooth(struct smoother *s, int16_t sample)
{
    if (!s->primed) { /* start at the first reading instead of at zero */
        s->scaled = (int32_t)sample * (1 << s->shift);
        s->primed = true;
    }
    s->scaled += sample - s->scaled / (1 << s->shift);
    return (int16_t)(s->scaled / (1 << s->shift));
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    struct smoother s = {.shift = 3};
    const int16_t samples[] = {200, 208, 192, 900, 200, 200, 200};
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++)
        printf("%d ", smooth(&s, samples[i]));
    puts("");
}
