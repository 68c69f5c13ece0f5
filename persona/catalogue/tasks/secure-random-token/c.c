// snippet:doc https://man7.org/linux/man-pages/man2/getrandom.2.html getrandom(2)
// snippet:needs Linux or FreeBSD
// snippet:prints 1 32 1
#include <stdbool.h>
#include <stddef.h>
#include <sys/random.h>

enum { TOKEN_BYTES = 24, TOKEN_LENGTH = TOKEN_BYTES / 3 * 4 };

/* 192 bits from the kernel in 32 characters that are safe in a URL.
 * Never use rand() for this: its next values can be computed. */
bool new_token(char token[static TOKEN_LENGTH + 1])
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned char raw[TOKEN_BYTES];

    if (getrandom(raw, sizeof raw, 0) != (ssize_t)sizeof raw)
        return false;
    char *out = token;
    for (size_t i = 0; i < TOKEN_BYTES; i += 3) {
        unsigned bits = (unsigned)raw[i] << 16 | (unsigned)raw[i + 1] << 8 | raw[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            *out++ = alphabet[bits >> shift & 63];
    }
    *out = '\0';
    return true;
}
// snippet:usage
#include <stdio.h>
#include <string.h>

int main(void)
{
    char a[TOKEN_LENGTH + 1], b[TOKEN_LENGTH + 1];
    bool ok = new_token(a) && new_token(b);
    printf("%d %zu %d\n", ok, strlen(a), strcmp(a, b) != 0);
}
