// snippet:doc https://docs.openssl.org/3.0/man3/HMAC/ OpenSSL HMAC
// snippet:into Link it with -lcrypto
// snippet:prints 1 0
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIGNATURE_SIZE = 32 };

struct bytes { const void *data; size_t size; };

/* True if the signature is the HMAC-SHA-256 of the message. memcmp would stop at
 * the first difference and tell by its time how much was right. */
bool signature_is_valid(struct bytes key, struct bytes message, struct bytes signature)
{
    unsigned char expected[SIGNATURE_SIZE];

    if (signature.size != SIGNATURE_SIZE)
        return false;
    if (!HMAC(EVP_sha256(), key.data, (int)key.size, message.data, message.size, expected, NULL))
        return false;
    return CRYPTO_memcmp(expected, signature.data, SIGNATURE_SIZE) == 0;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    const unsigned char good[SIGNATURE_SIZE] = {
        0xf7, 0xbc, 0x83, 0xf4, 0x30, 0x53, 0x84, 0x24, 0xb1, 0x32, 0x98, 0xe6, 0xaa, 0x6f, 0xb1, 0x43,
        0xef, 0x4d, 0x59, 0xa1, 0x49, 0x46, 0x17, 0x59, 0x97, 0x47, 0x9d, 0xbc, 0x2d, 0x1a, 0x3c, 0xd8};
    struct bytes key = {"key", 3}, text = {"The quick brown fox jumps over the lazy dog", 43};
    printf("%d", signature_is_valid(key, text, (struct bytes){good, 32}));
    text.size--;
    printf(" %d\n", signature_is_valid(key, text, (struct bytes){good, 32}));
}
