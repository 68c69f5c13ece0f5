# snippet:doc https://cloud.google.com/python/docs/reference/storage/latest/google.cloud.storage.transfer_manager Transfer manager
# snippet:about Google Cloud
# snippet:check
import gcs

# snippet:end
from pathlib import Path

from google.cloud.storage import Bucket
from google.cloud.storage.transfer_manager import THREAD, upload_many_from_filenames


def files_in(folder: Path) -> list[str]:
    if not folder.is_dir():
        raise NotADirectoryError(folder)  # else it would have no files
    return [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file()]


def upload(bucket: Bucket, folder: Path, names: list[str], prefix: str) -> dict[str, Exception]:
    """What failed, and why."""
    results = upload_many_from_filenames(
        bucket, names, source_directory=str(folder), blob_name_prefix=prefix, worker_type=THREAD, max_workers=8
    )
    return {name: result for name, result in zip(names, results) if isinstance(result, Exception)}


# snippet:check
import os
import tempfile

bucket = gcs.bucket()
with tempfile.TemporaryDirectory() as made:
    folder = Path(made)
    print(upload(bucket, folder, files_in(folder), "site/"))
    (folder / "img").mkdir()
    for name in ["index.html", "img/a.png", "img/ä b.png", "empty.css"]:
        (folder / name).write_text("" if name.startswith("empty") else name)
    names = files_in(folder)
    print(names)
    os.rename(folder / "index.html", folder / "moved")
    print({name: type(e).__name__ for name, e in upload(bucket, folder, names, "site/").items()})
    os.rename(folder / "moved", folder / "index.html")
    print(upload(bucket, folder, ["index.html"], "site/"))
print([(blob.name, blob.size, blob.content_type) for blob in bucket.list_blobs()])
# snippet:prints {}
# snippet:prints ['empty.css', 'img/a.png', 'img/ä b.png', 'index.html']
# snippet:prints {'index.html': 'FileNotFoundError'}
# snippet:prints {}
# snippet:prints [('site/empty.css', 0, 'text/css'), ('site/img/a.png', 9, 'image/png'), ('site/img/ä b.png', 12, 'image/png'), ('site/index.html', 10, 'text/html')]
