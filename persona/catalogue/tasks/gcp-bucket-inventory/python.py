# snippet:doc https://cloud.google.com/storage/docs/listing-objects List objects
# snippet:about Google Cloud
# snippet:check
import gcs

# snippet:end
from collections import Counter

from google.cloud.storage import Bucket


def bytes_by_folder(bucket: Bucket) -> list[tuple[str, int]]:
    sizes = Counter()
    for blob in bucket.list_blobs(fields="items(name,size),nextPageToken"):
        folder, slash, _ = blob.name.partition("/")
        sizes[folder + slash if slash else "(none)"] += blob.size
    return sizes.most_common()


# snippet:check
bucket = gcs.bucket()
print(bytes_by_folder(bucket))
for name, size in [("logs/a/1", 10), ("logs/2", 20), ("logs2/x", 5), ("readme", 3), ("license", 1), ("empty/", 0)]:
    bucket.blob(name).upload_from_string(b"x" * size)
for name, size in bytes_by_folder(bucket):
    print(name, size)
# snippet:prints []
# snippet:prints logs/ 30
# snippet:prints logs2/ 5
# snippet:prints (none) 4
# snippet:prints empty/ 0
