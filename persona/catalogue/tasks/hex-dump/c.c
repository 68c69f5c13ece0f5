// snippet:doc https://en.cppreference.com/w/c/io/fprintf printf
// snippet:prints 00000000  54 68 65 20 71 75 69 63 6b 20 62 72 6f 77 6e 0a  |The quick brown.|
// snippet:prints 00000010  09 66 6f 78 7f                                   |.fox.|
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>

/* Offset, sixteen bytes in hexadecimal, and the same bytes as text. */
void hex_dump(FILE *out, const void *data, size_t size)
{
    const unsigned char *bytes = data;

    for (size_t row = 0; row < size; row += 16) {
        size_t n = size - row < 16 ? size - row : 16;
        fprintf(out, "%08zx ", row);
        for (size_t i = 0; i < 16; i++) {
            if (i < n)
                fprintf(out, " %02x", bytes[row + i]);
            else
                fputs("   ", out);
        }
        fputs("  |", out);
        for (size_t i = 0; i < n; i++)
            fputc(isprint(bytes[row + i]) ? bytes[row + i] : '.', out);
        fputs("|\n", out);
    }
}
// snippet:usage
int main(void)
{
    hex_dump(stdout, "The quick brown\n\tfox\x7f", 21);
}
