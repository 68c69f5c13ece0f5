// snippet:doc https://en.cppreference.com/w/c/numeric/math/sqrt sqrt
// snippet:into Link it with -lm
// snippet:prints 10.0 5.4772 12
#include <math.h>
#include <stddef.h>

/* Welford's method: mean and spread of a stream without keeping its values,
 * and without the cancellation of the textbook formula. Begin with {0}. */
struct statistics {
    size_t count;
    double mean;
    double squares; /* sum of squared distances from the mean */
    double minimum, maximum;
};

void statistics_add(struct statistics *s, double value)
{
    double distance = value - s->mean;
    s->count++;
    s->mean += distance / (double)s->count;
    s->squares += distance * (value - s->mean);
    s->minimum = s->count == 1 ? value : fmin(s->minimum, value);
    s->maximum = s->count == 1 ? value : fmax(s->maximum, value);
}

/* Standard deviation of a sample; 0 for fewer than two values. */
double statistics_deviation(const struct statistics *s)
{
    return s->count < 2 ? 0 : sqrt(s->squares / (double)(s->count - 1));
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    struct statistics s = {0};
    const double values[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    for (int i = 0; i < 4; i++)
        statistics_add(&s, values[i]);
    printf("%.1f %.4f %.0f\n", s.mean - 1e9, statistics_deviation(&s), s.maximum - s.minimum);
}
