# snippet:doc https://cloud.google.com/storage/docs/request-preconditions Request preconditions
# snippet:about Google Cloud
# snippet:check
import gcs

# snippet:end
import json
import random
import time

from google.api_core.exceptions import NotFound, PreconditionFailed
from google.cloud.storage import Bucket


def set_flag(bucket: Bucket, name: str, flag: str, on: bool, attempts: int = 6) -> None:
    for attempt in range(attempts):
        blob = bucket.blob(name)
        try:
            flags = json.loads(blob.download_as_bytes())
            generation = blob.generation  # of what was downloaded
        except NotFound:
            flags, generation = {}, 0
        flags[flag] = on
        text = json.dumps(flags)
        try:
            bucket.blob(name).upload_from_string(
                text, content_type="application/json", if_generation_match=generation
            )
            return
        except PreconditionFailed:
            time.sleep(random.uniform(0, 0.1 * 2**attempt))
    raise TimeoutError(f"{name} was changed {attempts} times meanwhile")


# snippet:check
from concurrent.futures import ThreadPoolExecutor

from google.cloud.storage import Blob

time.sleep = lambda seconds: None
bucket = gcs.bucket()
set_flag(bucket, "flags.json", "new-cart", True)
upload, others = Blob.upload_from_string, ["dark-mode"]


def interrupted(blob, text, **options):
    if others:
        upload(blob, json.dumps({"new-cart": True, others.pop(): False}))
    upload(blob, text, **options)


Blob.upload_from_string = interrupted
set_flag(bucket, "flags.json", "beta", True)
blob = bucket.get_blob("flags.json")
print(blob.download_as_text(), blob.content_type)
others += [str(n) for n in range(9)]
try:
    set_flag(bucket, "flags.json", "late", True)
except TimeoutError as e:
    print(e)
others.clear()
with ThreadPoolExecutor(2) as pool:
    list(pool.map(lambda n: set_flag(bucket, "race.json", f"f{n}", True, attempts=99), range(2)))
print(sorted(json.loads(bucket.blob("race.json").download_as_text())))
# snippet:prints {"new-cart": true, "dark-mode": false, "beta": true} application/json
# snippet:prints flags.json was changed 6 times meanwhile
# snippet:prints ['f0', 'f1']
