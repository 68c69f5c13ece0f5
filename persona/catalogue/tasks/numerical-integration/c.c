// snippet:doc https://en.cppreference.com/w/c/language/pointer Pointers to functions
#include <stddef.h>

struct body { double x, v; }; /* metres, metres per second */

/*
 * Velocity Verlet: second order. With steps that are short beside a period,
 * the energy of an oscillation stays near its value, unlike with Euler's method.
 */
void integrate(struct body *b, double (*acceleration)(double x), double dt, size_t steps)
{
    double a = acceleration(b->x);
    for (size_t i = 0; i < steps; i++) {
        b->v += 0.5 * a * dt;
        b->x += b->v * dt;
        a = acceleration(b->x);
        b->v += 0.5 * a * dt;
    }
}
// snippet:usage
// snippet:prints 0.5000
#include <stdio.h>

static double spring(double x)
{
    return -x;
}

int main(void)
{
    struct body b = {.x = 1};
    integrate(&b, spring, 0.01, 100000);
    printf("%.4f\n", 0.5 * (b.x * b.x + b.v * b.v));
    // snippet:check
    // snippet:prints 1.0000
    b = (struct body){.x = 1};
    integrate(&b, spring, 6.283185307179586 / 1000, 1000);
    printf("%.4f\n", b.x);
    // snippet:usage
}
