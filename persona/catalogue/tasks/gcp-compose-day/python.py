# snippet:doc https://cloud.google.com/storage/docs/composing-objects Compose objects
# snippet:about Google Cloud
# snippet:check
import gcs

# snippet:end
from datetime import date

from google.cloud.storage import Blob, Bucket


def join_day(bucket: Bucket, day: date) -> Blob:
    hours = list(bucket.list_blobs(prefix=f"hourly/{day:%Y-%m-%d}/"))  # 00.jsonl, 01.jsonl, …
    if not 1 <= len(hours) <= 32:
        raise ValueError(f"{day}: {len(hours)} parts, expected 1 to 32")
    whole = bucket.blob(f"daily/{day:%Y-%m-%d}.jsonl")
    whole.content_type = "application/jsonl"
    whole.compose(hours)
    return whole


# snippet:check
bucket = gcs.bucket()
for hour in (23, 1, 0, 12):
    bucket.blob(f"hourly/2026-03-02/{hour:02}.jsonl").upload_from_string(f'{{"hour": {hour}}}\n')
bucket.blob("hourly/2026-03-20/00.jsonl").upload_from_string("other day\n")
whole = join_day(bucket, date(2026, 3, 2))
print(whole.name, bucket.get_blob(whole.name).content_type, whole.download_as_text().split("\n"))
print(sum(1 for _ in bucket.list_blobs(prefix="hourly/2026-03-02/")))
for n in range(33):
    bucket.blob(f"hourly/2026-03-04/{n:02}").upload_from_string(b"x")
for day in (3, 4):
    try:
        join_day(bucket, date(2026, 3, day))
    except ValueError as e:
        print(e)
# snippet:prints daily/2026-03-02.jsonl application/jsonl ['{"hour": 0}', '{"hour": 1}', '{"hour": 12}', '{"hour": 23}', '']
# snippet:prints 4
# snippet:prints 2026-03-03: 0 parts, expected 1 to 32
# snippet:prints 2026-03-04: 33 parts, expected 1 to 32
