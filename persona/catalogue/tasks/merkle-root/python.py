# snippet:doc https://docs.python.org/3/library/hashlib.html hashlib
from hashlib import sha256


def merkle_root(leaves: list[bytes]) -> bytes:
    """RFC 9162 tree hash: one value that commits to every leaf and to their order."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        # Different prefixes, or an inner node could be passed off as a leaf.
        return sha256(b"\x00" + leaves[0]).digest()
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    left, right = merkle_root(leaves[:split]), merkle_root(leaves[split:])
    return sha256(b"\x01" + left + right).digest()


payments = [b"alice>bob:5", b"bob>carol:2", b"carol>dan:1"]
print(merkle_root(payments).hex()[:16])
print(merkle_root(payments[::-1]).hex()[:16])
# snippet:prints 613b0f8ad03779f5
# snippet:prints d5d86f77106220fa
