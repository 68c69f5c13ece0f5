# snippet:doc https://docs.python.org/3/library/os.html#os.replace os.replace
import os
import shutil
import tempfile
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Readers see the old file or the new one, never half of it, even after a crash.

    The file keeps its mode, and is then yours.
    """
    # Same folder, because a rename is only atomic within one file system.
    fd, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, temporary)  # a new file stays private to its owner
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
# snippet:usage


target = Path("settings.toml")
write_atomically(target, "theme = 'dark'\n")
write_atomically(target, "theme = 'light'\n")
print(target.read_text().strip())
# snippet:prints theme = 'light'
# snippet:check
target.chmod(0o644)
write_atomically(target, "theme = 'dark'\n")
print([p.name for p in Path().glob("*settings*")], oct(target.stat().st_mode)[-3:])
# snippet:prints ['settings.toml'] 644
