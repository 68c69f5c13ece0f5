# snippet:doc https://learn.microsoft.com/rest/api/storageservices/lease-blob Lease Blob
# snippet:about Microsoft Azure
# snippet:check
import azurite

# snippet:end
from collections.abc import Callable

from azure.core.exceptions import HttpResponseError
from azure.storage.blob import BlobClient, BlobLeaseClient


def run_alone(lock: BlobClient, work: Callable[[Callable[[], None]], None]) -> bool:
    """False: another instance is at it. work calls what it is given at least once every 30 seconds."""
    lease = BlobLeaseClient(lock)
    try:
        lease.acquire(lease_duration=60)  # ends by itself if this process dies
    except HttpResponseError as e:
        if e.error_code == "LeaseAlreadyPresent":
            return False
        raise
    try:
        work(lease.renew)  # fails once another instance has the lease
    finally:
        lease.release()
    return True


# snippet:check
lock = azurite.container().get_blob_client("nightly")
lock.upload_blob(b"")


def first(renew):
    renew()
    print("first runs;", "second runs:", run_alone(lock, lambda renew: print("never")))


print(run_alone(lock, first))
print(run_alone(lock, lambda renew: print("third runs")))
# snippet:prints first runs; second runs: False
# snippet:prints True
# snippet:prints third runs
# snippet:prints True
