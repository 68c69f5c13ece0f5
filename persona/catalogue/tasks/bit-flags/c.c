// snippet:doc https://en.cppreference.com/w/c/language/operator_arithmetic C arithmetic and bitwise operators
// snippet:prints 1 5 D2
#include <stdbool.h>
#include <stdint.h>

/* Status register: bit 7 ready, bit 6 error, bits 5-3 gain. */
enum {
    STATUS_READY      = 1u << 7,
    STATUS_ERROR      = 1u << 6,
    STATUS_GAIN_SHIFT = 3,
    STATUS_GAIN_MASK  = 0x7u << STATUS_GAIN_SHIFT,
};

static inline bool status_has(uint8_t status, uint8_t flag)
{
    return (status & flag) == flag;
}

static inline unsigned status_gain(uint8_t status)
{
    return (status & STATUS_GAIN_MASK) >> STATUS_GAIN_SHIFT;
}

/* Changes the gain, 0 to 7, and leaves all other bits alone: what does not fit is cut off. */
static inline uint8_t status_with_gain(uint8_t status, unsigned gain)
{
    unsigned field = (gain << STATUS_GAIN_SHIFT) & STATUS_GAIN_MASK;
    return (uint8_t)((status & ~(unsigned)STATUS_GAIN_MASK) | field);
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    uint8_t s = 0xEA;
    printf("%d %u %02X\n", status_has(s, STATUS_READY), status_gain(s), status_with_gain(s, 2));
}
