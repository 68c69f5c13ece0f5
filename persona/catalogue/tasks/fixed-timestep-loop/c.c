// snippet:doc https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock_getres.html POSIX clock_gettime
// snippet:needs a POSIX system
// snippet:prints 2 0.50
// snippet:prints 7 1
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <time.h>

enum { STEP_NS = 1000000000 / 60, MAX_STEPS = 5 };

int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t); /* never jumps, unlike the time of day */
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Spends elapsed time in equal steps and returns how far we are into the next
 * one (0 to 1): draw between the last two states with it. */
double advance(int64_t *unspent, int64_t elapsed, void (*update)(void *), void *world)
{
    *unspent += elapsed;
    if (*unspent > (int64_t)MAX_STEPS * STEP_NS)
        *unspent = (int64_t)MAX_STEPS * STEP_NS; /* after a pause: skip time */
    for (; *unspent >= STEP_NS; *unspent -= STEP_NS)
        update(world);
    return (double)*unspent / STEP_NS;
}
// snippet:usage
#include <stdio.h>

static void count(void *world)
{
    ++*(int *)world;
}

int main(void)
{
    int steps = 0;
    int64_t unspent = 0, start = now_ns();
    double rest = advance(&unspent, STEP_NS * 5 / 2, count, &steps);
    printf("%d %.2f\n", steps, rest);
    advance(&unspent, 1000000000, count, &steps);
    printf("%d %d\n", steps, now_ns() >= start);
}
