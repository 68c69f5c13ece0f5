// snippet:doc https://en.cppreference.com/w/c/io/fprintf printf
// snippet:prints Celsius  Fahrenheit   Kelvin
// snippet:prints -20            -4.0   253.15
// snippet:prints 0              32.0   273.15
// snippet:prints 20             68.0   293.15
// snippet:prints 40            104.0   313.15
// snippet:prints 60            140.0   333.15
// snippet:prints 80            176.0   353.15
// snippet:prints 100           212.0   373.15
#include <stdio.h>

static double to_fahrenheit(double celsius)
{
    return celsius * 9 / 5 + 32;
}

static double to_kelvin(double celsius)
{
    return celsius + 273.15;
}

int main(void)
{
    printf("%-8s %10s %8s\n", "Celsius", "Fahrenheit", "Kelvin");
    for (int celsius = -20; celsius <= 100; celsius += 20)
        printf("%-8d %10.1f %8.2f\n", celsius, to_fahrenheit(celsius), to_kelvin(celsius));
    return 0;
}
