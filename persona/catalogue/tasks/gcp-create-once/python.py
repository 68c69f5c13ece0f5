# snippet:doc https://cloud.google.com/storage/docs/request-preconditions Request preconditions
# snippet:about Google Cloud
# snippet:check
import gcs

# snippet:end
from google.api_core.exceptions import PreconditionFailed
from google.cloud.storage import Bucket


def save_once(bucket: Bucket, name: str, data: bytes, content_type: str) -> bool:
    """False: there is such an object by now, and it stays as it is."""
    try:
        bucket.blob(name).upload_from_string(data, content_type=content_type, if_generation_match=0)
    except PreconditionFailed:
        return False
    return True


# snippet:check
from concurrent.futures import ThreadPoolExecutor

bucket = gcs.bucket()
print(save_once(bucket, "invoice.pdf", b"first", "application/pdf"), save_once(bucket, "invoice.pdf", b"second", "text/plain"))
blob = bucket.get_blob("invoice.pdf")
print(blob.download_as_bytes(), blob.content_type)
with ThreadPoolExecutor(8) as pool:
    print(sum(pool.map(lambda n: save_once(bucket, "race", str(n).encode(), "text/plain"), range(8))))
# snippet:prints True False
# snippet:prints b'first' application/pdf
# snippet:prints 1
