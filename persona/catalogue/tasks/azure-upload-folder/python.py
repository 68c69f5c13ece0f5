# snippet:doc https://learn.microsoft.com/azure/storage/blobs/storage-blob-upload-python Upload a blob with Python
# snippet:about Microsoft Azure
# snippet:check
import azurite

# snippet:end
import hashlib
import mimetypes
from pathlib import Path

from azure.storage.blob import ContainerClient, ContentSettings


def upload_changed(folder: Path, container: ContainerClient) -> list[str]:
    if not folder.is_dir():
        raise NotADirectoryError(folder)  # else it would have no files
    stored = {blob.name: blob.content_settings.content_md5 for blob in container.list_blobs()}
    uploaded = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        data = path.read_bytes()
        digest = hashlib.md5(data, usedforsecurity=False).digest()
        if stored.get(name) == digest:
            continue
        kind, packed = mimetypes.guess_type(name)
        # A packed file, such as a .tar.gz, is no page: it is downloaded as it is.
        settings = ContentSettings(content_type=None if packed else kind, content_md5=bytearray(digest))
        container.upload_blob(name, data, overwrite=True, content_settings=settings)
        uploaded.append(name)
    return uploaded


# snippet:check
site, container = Path("site"), azurite.container()
(site / "css").mkdir(parents=True)
(site / "index.html").write_text("<h1>Hello</h1>")
(site / "css" / "main.css").write_text("h1 { color: navy }")
print(upload_changed(site, container))
(site / "old.tar.gz").write_bytes(b"packed")
assert upload_changed(site, container) == ["old.tar.gz"]
kept = container.get_blob_client("old.tar.gz").get_blob_properties().content_settings
assert (kept.content_type, kept.content_encoding) == ("application/octet-stream", None), kept
(site / "index.html").write_text("<h1>Hello again</h1>")
print(upload_changed(site, container), upload_changed(site, container))
blob = container.get_blob_client("index.html")
print(blob.get_blob_properties().content_settings.content_type, blob.download_blob().readall().decode())
try:
    raise AssertionError(upload_changed(Path("sight"), container))
except NotADirectoryError:
    pass
# snippet:prints ['css/main.css', 'index.html']
# snippet:prints ['index.html'] []
# snippet:prints text/html <h1>Hello again</h1>
