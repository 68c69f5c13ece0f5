# snippet:doc https://docs.python.org/3/library/hashlib.html#hashlib.scrypt hashlib.scrypt
import hashlib
import hmac
import os

# 2**15 * 8 * 128 bytes = 32 MiB, three times for each guess: cheap once, dear a billion times.
N, R, P = 2**15, 8, 3


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=128 * r * (n + p + 2))


def hash_password(password: str) -> str:
    salt = os.urandom(16)
    return f"scrypt${N}${R}${P}${salt.hex()}${_scrypt(password, salt, N, R, P).hex()}"


def verify_password(password: str, stored: str) -> bool:
    _, n, r, p, salt, expected = stored.split("$")
    actual = _scrypt(password, bytes.fromhex(salt), int(n), int(r), int(p))
    return hmac.compare_digest(actual, bytes.fromhex(expected))
# snippet:check


stored = hash_password("correct horse")
print(stored.rsplit("$", 2)[0])
print(verify_password("correct horse", stored), verify_password("battery", stored))
# snippet:prints scrypt$32768$8$3
# snippet:prints True False
