// snippet:doc https://en.cppreference.com/w/c/language/struct Struct declaration
// snippet:prints 21.9 C 71.4 F
/* A struct around each quantity: the compiler refuses to mix them up. */
typedef struct { float value; } celsius;
typedef struct { float value; } fahrenheit;
typedef struct { float value; } millivolts;

static inline fahrenheit to_fahrenheit(celsius c)
{
    return (fahrenheit){c.value * 9.0f / 5.0f + 32.0f};
}

/* TMP36 sensor: 500 mV at 0 degrees, 10 mV per degree. */
static inline celsius tmp36_temperature(millivolts v)
{
    return (celsius){(v.value - 500.0f) / 10.0f};
}

/* 10-bit converter with a reference of 3.3 V: 1024 steps. */
static inline millivolts adc_millivolts(unsigned raw)
{
    return (millivolts){(float)raw * 3300.0f / 1024.0f};
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    celsius room = tmp36_temperature(adc_millivolts(223));
    printf("%.1f C %.1f F\n", room.value, to_fahrenheit(room).value);
}
