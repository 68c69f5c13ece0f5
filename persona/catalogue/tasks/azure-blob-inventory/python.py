# snippet:doc https://learn.microsoft.com/azure/storage/blobs/storage-blobs-list-python List blobs with Python
# snippet:about Microsoft Azure
# snippet:check
import azurite

# snippet:end
from azure.storage.blob import BlobPrefix, ContainerClient


def bytes_by_folder(container: ContainerClient) -> dict[str, int]:
    sizes = {}
    for entry in container.walk_blobs(delimiter="/"):
        if isinstance(entry, BlobPrefix):
            blobs = container.list_blobs(name_starts_with=entry.name)
            sizes[entry.name] = sum(blob.size for blob in blobs)
        else:
            sizes["(none)"] = sizes.get("(none)", 0) + entry.size
    return dict(sorted(sizes.items(), key=lambda folder: -folder[1]))


# snippet:check
container = azurite.container()
for name, size in [("logs/a/1", 10), ("logs/2", 20), ("logs2/x", 5), ("readme", 3), ("license", 1)]:
    container.upload_blob(name, b"x" * size)
for name, size in bytes_by_folder(container).items():
    print(name, size)
# snippet:prints logs/ 30
# snippet:prints logs2/ 5
# snippet:prints (none) 4
