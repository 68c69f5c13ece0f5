// snippet:doc https://docs.openssl.org/3.0/man3/EVP_DigestInit/ OpenSSL EVP_DigestInit
// snippet:into Link it with -lcrypto
// snippet:prints 1
// snippet:prints 36642e73
#include <openssl/evp.h>
#include <stdbool.h>

typedef struct { unsigned char bytes[32]; } hash;

static bool hash_pair(const hash *left, const hash *right, hash *out)
{
    EVP_MD_CTX *sha = EVP_MD_CTX_new();
    bool ok = sha && EVP_DigestInit_ex(sha, EVP_sha256(), NULL)
        && EVP_DigestUpdate(sha, "\x01", 1) /* leaves start with 0: RFC 9162 */
        && EVP_DigestUpdate(sha, left, sizeof *left)
        && EVP_DigestUpdate(sha, right, sizeof *right)
        && EVP_DigestFinal_ex(sha, out->bytes, NULL);
    EVP_MD_CTX_free(sha);
    return ok;
}

/* The root over count >= 1 leaf hashes: halves at the largest power of two. */
bool merkle_root(const hash *leaves, size_t count, hash *root)
{
    if (count == 1)
        return *root = leaves[0], true;
    size_t split = 1;
    while (split * 2 < count)
        split *= 2;
    hash left, right;
    return merkle_root(leaves, split, &left)
        && merkle_root(leaves + split, count - split, &right)
        && hash_pair(&left, &right, root);
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    hash leaves[3], root;
    for (int i = 0; i < 3; i++)
        EVP_Digest((unsigned char[]){0, (unsigned char)('a' + i)}, 2, leaves[i].bytes, NULL, EVP_sha256(), NULL);
    printf("%d\n", merkle_root(leaves, 3, &root));
    printf("%02x%02x%02x%02x\n", root.bytes[0], root.bytes[1], root.bytes[2], root.bytes[3]);
}
