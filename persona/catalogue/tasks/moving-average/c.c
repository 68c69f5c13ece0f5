// snippet:doc https://en.cppreference.com/w/c/types/integer stdint.h
// snippet:prints 10 15 20 25 30 35 40 45 55 65
#include <stddef.h>
#include <stdint.h>

enum { WINDOW = 8 };

/* Mean of the last WINDOW samples in constant time: add the new one, take the
 * oldest away. The sum is exact, because it is an integer; the mean is cut to one.
 * A new one begins as {0}. */
struct moving_average {
    int16_t samples[WINDOW];
    int32_t sum;
    size_t count, next;
};

int16_t moving_average_push(struct moving_average *m, int16_t sample)
{
    if (m->count == WINDOW)
        m->sum -= m->samples[m->next];
    else
        m->count++;
    m->samples[m->next] = sample;
    m->sum += sample;
    m->next = (m->next + 1) % WINDOW;
    return (int16_t)(m->sum / (int32_t)m->count);
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    struct moving_average m = {0};
    for (int16_t i = 1; i <= 10; i++)
        printf("%d ", moving_average_push(&m, (int16_t)(i * 10)));
    puts("");
}
