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
# snippet:usage


os.makedirs("logs", exist_ok=True)
for name, size in (("logs/old.log", 3 * 2**20), ("logs/new.log", 2**20)):
    with open(name, "wb") as file:
        file.truncate(size)
largest("logs")
# snippet:prints        3.0 MiB  'logs/old.log'
# snippet:prints        1.0 MiB  'logs/new.log'
# snippet:check
os.mkdir("other")
with open(os.fsdecode(b"other/caf\xe9"), "wb") as file:
    file.truncate(2**19)
os.symlink("..", "other/link")
largest("other", 3)
# snippet:prints        0.5 MiB  'other/caf\udce9'
