// snippet:doc https://en.cppreference.com/w/c/types/size_t size_t
// snippet:prints 0 1 hi
// snippet:prints 1 2
#include <stddef.h>
#include <stdint.h>

struct frame {
    uint8_t kind;
    uint16_t length;
    const uint8_t *payload; /* points into the input */
};

enum frame_result { FRAME_OK, FRAME_INCOMPLETE, FRAME_INVALID };

/* Magic "MX", kind, length (big-endian), payload. Works on any CPU: no casts
 * of the buffer to a struct, so no alignment or byte order surprises. */
enum frame_result frame_parse(const uint8_t *in, size_t size, struct frame *out)
{
    enum { HEADER = 5 };

    if (size < HEADER)
        return FRAME_INCOMPLETE;
    if (in[0] != 'M' || in[1] != 'X')
        return FRAME_INVALID;
    uint16_t length = (uint16_t)((unsigned)in[3] << 8 | in[4]);
    if (size - HEADER < length)
        return FRAME_INCOMPLETE;
    *out = (struct frame){.kind = in[2], .length = length, .payload = in + HEADER};
    return FRAME_OK;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    struct frame f;
    const uint8_t good[] = "MX\x01\x00\x02hi", bad[] = "XX\x01\x00\x02hi";
    printf("%d", frame_parse(good, sizeof good - 1, &f));
    printf(" %u %.*s\n", f.kind, f.length, (const char *)f.payload);
    printf("%d %d\n", frame_parse(good, 6, &f), frame_parse(bad, sizeof bad, &f));
}
