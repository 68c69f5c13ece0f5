# snippet:doc https://docs.python.org/3/library/hashlib.html#hashlib.file_digest hashlib.file_digest
# snippet:needs Python 3.11
import hashlib
import sys
from pathlib import Path
from string import hexdigits


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # in blocks, not all at once


def verify(manifest: Path) -> bool:
    """Check every `<hex>  <name>` line of a SHA256SUMS file; names are relative to it.

    A file that cannot be read ends it with an OSError.
    """
    intact = True
    text = manifest.read_text(encoding="utf-8", errors="surrogateescape")  # a name need not be UTF-8
    for line in text.removesuffix("\n").split("\n"):
        expected, name = line[:64], line[66:]  # between them a space, and "*" for a binary file
        path = manifest.parent / name
        if len(expected) < 64 or expected.strip(hexdigits):
            problem, name = "not a checksum and a name", line
        elif not path.is_file():
            problem = "missing"
        elif sha256_of(path) != expected.lower():
            problem = "changed"
        else:
            continue
        print(f"{problem}: {name}", file=sys.stderr)
        intact = False
    return intact
# snippet:usage


data, sums = Path("data.csv"), Path("SHA256SUMS")
data.write_bytes(b"abc")
sums.write_text(f"{sha256_of(data)}  data.csv\n")
print(sha256_of(data)[:8], verify(sums))
data.write_bytes(b"abd")
print(verify(sums))
# snippet:prints ba7816bf True
# snippet:prints False
# snippet:check
Path("*odd").write_bytes(b"abd")
sums.write_text(f"{sha256_of(data)} *data.csv\n{sha256_of(data)}  *odd\n")
print(verify(sums), end=" ")
sums.write_text("\n")
print(verify(sums))
# snippet:prints True False
