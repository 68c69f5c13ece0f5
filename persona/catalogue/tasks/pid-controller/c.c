// snippet:doc https://en.cppreference.com/w/c/numeric/math/fmin fmin, fmax
// snippet:into Link it with -lm
// snippet:prints 60.0
#include <math.h>

struct pid {
    double kp, ki, kd;   /* gains */
    double low, high;    /* limits of the actuator */
    double integral;     /* in units of the output */
    double previous;     /* last measurement: begin with the first */
};

/* One step of dt > 0 seconds. The derivative looks at the measurement, so it
 * does not kick at a new set point; the integral stays within the limits, so
 * it does not wind up beyond them. */
double pid_step(struct pid *c, double target, double measured, double dt)
{
    double error = target - measured;
    double slope = (measured - c->previous) / dt;
    c->previous = measured;

    c->integral = fmin(fmax(c->integral + c->ki * error * dt, c->low), c->high);
    double output = c->kp * error + c->integral - c->kd * slope;
    return fmin(fmax(output, c->low), c->high);
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    struct pid heater = {.kp = 8, .ki = 0.5, .kd = 2, .high = 100, .previous = 20};
    double temperature = 20;
    for (int second = 0; second < 600; second++) {
        double power = pid_step(&heater, 60, temperature, 1);
        temperature += 0.02 * power - 0.02 * (temperature - 20);
    }
    printf("%.1f\n", temperature);
}
