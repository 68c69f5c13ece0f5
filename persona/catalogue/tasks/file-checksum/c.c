// snippet:doc https://docs.openssl.org/3.0/man3/EVP_DigestInit/ OpenSSL EVP_DigestInit
// snippet:prints 1
// snippet:prints 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>

/* SHA-256 of a stream in hexadecimal, in constant memory. Link with -lcrypto. */
bool sha256_hex(FILE *in, char hex[static 65])
{
    unsigned char block[16 * 1024], digest[32];
    size_t n;
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    bool ok = hash && EVP_DigestInit_ex(hash, EVP_sha256(), NULL);

    while (ok && (n = fread(block, 1, sizeof block, in)) > 0)
        ok = EVP_DigestUpdate(hash, block, n);
    ok = ok && !ferror(in) && EVP_DigestFinal_ex(hash, digest, NULL);
    EVP_MD_CTX_free(hash);

    for (size_t i = 0; ok && i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    return ok;
}
// snippet:check
int main(void)
{
    char hex[65];
    FILE *f = tmpfile();
    fputs("hello\n", f);
    rewind(f);
    printf("%d\n", sha256_hex(f, hex));
    printf("%s\n", hex);
    fclose(f);
}
