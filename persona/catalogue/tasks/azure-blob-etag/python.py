# snippet:doc https://learn.microsoft.com/azure/storage/blobs/concurrency-manage Managing concurrency in Blob Storage
# snippet:about Microsoft Azure
# snippet:check
import azurite

# snippet:end
from azure.core import MatchConditions
from azure.core.exceptions import ResourceModifiedError
from azure.storage.blob import BlobClient


def append_line(blob: BlobClient, line: str, attempts: int = 5) -> None:
    """Adds a line to a text whose lines all end in a newline."""
    for _ in range(attempts):
        try:
            download = blob.download_blob(encoding="utf-8")
            text = download.readall() + line + "\n"
            blob.upload_blob(
                text, overwrite=True, etag=download.properties.etag, match_condition=MatchConditions.IfNotModified
            )
            return
        except ResourceModifiedError:
            continue  # somebody else was faster: again, on what they wrote
    raise TimeoutError(f"{blob.blob_name} was changed {attempts} times meanwhile")


# snippet:check
blob = azurite.container().get_blob_client("notes.txt")
blob.upload_blob("one\n")
upload, others = blob.upload_blob, ["two\n"]


def interrupted(text, **conditions):
    if others:
        upload("one\n" + others.pop(), overwrite=True)
    return upload(text, **conditions)


blob.upload_blob = interrupted
append_line(blob, "three")
print(blob.download_blob(encoding="utf-8").readall().split())
others += [f"{n}\n" for n in range(9)]
blob.upload_blob = lambda text, **conditions: (upload("other\n", overwrite=True), upload(text, **conditions))
try:
    append_line(blob, "four")
except TimeoutError as e:
    print(e)
print(blob.download_blob(encoding="utf-8").readall().split())
# snippet:prints ['one', 'two', 'three']
# snippet:prints notes.txt was changed 5 times meanwhile
# snippet:prints ['other']
