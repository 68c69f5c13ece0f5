// snippet:doc https://protobuf.dev/programming-guides/encoding/ Protocol Buffers encoding
// snippet:prints 2 ac 02
// snippet:prints 10 10 1
// snippet:prints 0
#include <stddef.h>
#include <stdint.h>

enum { VARINT_MAX = 10 }; /* bytes needed for any 64-bit number */

/* Writes seven bits a byte, low bits first, into up to VARINT_MAX bytes; returns their number. */
size_t varint_put(uint8_t *out, uint64_t value)
{
    size_t n = 0;
    for (; value >= 0x80; value >>= 7)
        out[n++] = (uint8_t)(value | 0x80);
    out[n++] = (uint8_t)value;
    return n;
}

/* Returns the bytes read, or 0 if the number is cut off or does not fit. */
size_t varint_get(const uint8_t *in, size_t size, uint64_t *value)
{
    *value = 0;
    for (size_t n = 0; n < size && n < VARINT_MAX; n++) {
        uint64_t bits = in[n] & 0x7F;
        if (n == VARINT_MAX - 1 && bits > 1)
            return 0;
        *value |= bits << (7 * n);
        if (in[n] < 0x80)
            return n + 1;
    }
    return 0;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    uint8_t buffer[VARINT_MAX];
    uint64_t back;
    size_t n = varint_put(buffer, 300);
    printf("%zu %02x %02x\n", n, buffer[0], buffer[1]);
    n = varint_put(buffer, UINT64_MAX);
    size_t read = varint_get(buffer, n, &back);
    printf("%zu %zu %d\n", n, read, back == UINT64_MAX);
    printf("%zu\n", varint_get(buffer, 9, &back));
}
