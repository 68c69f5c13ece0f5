// snippet:doc https://en.cppreference.com/w/c/language/struct Struct declaration
// snippet:into Link it with -lm
// snippet:prints 1 1.940 0.150 0.9957
// snippet:prints 0 0
// snippet:prints 1 1
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct line { double slope, intercept, r_squared; };

/* Least squares. Works with distances from the first point, which keeps the digits
 * that large coordinates would cost. False if all x are the same. */
bool fit_line(const double *x, const double *y, size_t n, struct line *line)
{
    double mean_x = 0, mean_y = 0, sxx = 0, sxy = 0, syy = 0;
    bool sloped = false, varied = false; /* not sxx == 0: the means are rounded */
    for (size_t i = 0; i < n; i++) {
        mean_x += (x[i] - x[0]) / (double)n;
        mean_y += (y[i] - y[0]) / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double dx = x[i] - x[0] - mean_x, dy = y[i] - y[0] - mean_y;
        sloped |= x[i] != x[0];
        varied |= y[i] != y[0];
        sxx += dx * dx;
        sxy += dx * dy;
        syy += dy * dy;
    }
    if (!sloped)
        return false;
    line->slope = sxy / sxx;
    line->intercept = y[0] + mean_y - line->slope * (x[0] + mean_x);
    line->r_squared = varied ? fmin(1, sxy * sxy / (sxx * syy)) : 1;
    return true;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    const double x[] = {1, 2, 3, 4}, y[] = {2.1, 3.9, 6.2, 7.8};
    struct line l;
    bool ok = fit_line(x, y, 4, &l);
    printf("%d %.3f %.3f %.4f\n", ok, l.slope, l.intercept, l.r_squared);
    const double same[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, rising[] = {0, 1, 2, 3, 4, 5};
    printf("%d %d\n", fit_line(same, rising, 6, &l), fit_line(same, rising, 0, &l));
    ok = fit_line(rising, same, 6, &l);
    printf("%d %g\n", ok, l.r_squared);
}
