// snippet:doc https://prng.di.unimi.it/ xoshiro and splitmix generators
// snippet:into Link it with -lm
// snippet:prints 1 0.0016
#include <math.h>
#include <stdint.h>

/* SplitMix64: tiny, seedable, the same on every machine. Not for secrets. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double uniform(uint64_t *state) /* in [0, 1), with 53 random bits */
{
    return (double)(next_random(state) >> 11) * 0x1p-53;
}

/* Pi from points thrown at a square; *error is one standard deviation, 0 if all or none are inside. */
double estimate_pi(uint64_t seed, unsigned points, double *error)
{
    unsigned inside = 0;
    for (unsigned i = 0; i < points; i++) {
        double x = uniform(&seed), y = uniform(&seed);
        inside += x * x + y * y < 1;
    }
    double p = (double)inside / points;
    *error = 4 * sqrt(p * (1 - p) / points);
    return 4 * p;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    double error, pi = estimate_pi(42, 1000000, &error);
    printf("%d %.4f\n", fabs(pi - 3.14159265) < 3 * error, error);
}
