# snippet:doc https://docs.python.org/3/library/os.html#os.scandir os.scandir
# snippet:title Find the largest files below a folder
# snippet:description Walk a folder tree and print the ten largest files in MiB. Symbolic links below it are not followed, and
# snippet:description subfolders that may not be read are skipped.
import heapq
import os
from collections.abc import Iterator
from contextlib import suppress


def files(folder: str) -> Iterator[tuple[int, str]]:
    """Yield (size, path) of every file below folder; subfolders that cannot be read are skipped."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            entries = list(os.scandir(here))
        except OSError:  # no permission, gone since, or a path that is too long
            if here == folder:
                raise
            continue
        for entry in entries:
            # Not following symbolic links keeps their loops out.
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            elif entry.is_file(follow_symlinks=False):
                with suppress(OSError):  # a folder can be listed, and not entered
                    yield entry.stat(follow_symlinks=False).st_size, entry.path


def largest(folder: str, count: int = 10) -> None:
    for size, path in heapq.nlargest(count, files(folder)):
        print(f"{size / 2**20:10.1f} MiB  {path!r}")  # a name may hold bytes that are not UTF-8
# snippet:check


import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    Path("logs").mkdir()
    Path("logs/old.log").write_bytes(bytes(3 * 2**20))
    Path("big.bin").write_bytes(bytes(2**20))
    Path("tiny").write_bytes(b"x")
    Path(os.fsdecode(b"caf\xe9")).write_bytes(bytes(2**19))
    largest(".", 3)
    os.chdir("/")
# snippet:prints        3.0 MiB  './logs/old.log'
# snippet:prints        1.0 MiB  './big.bin'
# snippet:prints        0.5 MiB  './caf\udce9'
