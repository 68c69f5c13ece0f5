# snippet:doc https://cloud.google.com/python/docs/reference/storage/latest/google.cloud.storage.blob.Blob#google_cloud_storage_blob_Blob_open Blob.open
# snippet:about Google Cloud
# snippet:check
import gcs

# snippet:end
import csv
from collections import Counter

from google.cloud.storage import Bucket


def cents_by_city(bucket: Bucket, name: str) -> Counter[str]:
    found = bucket.get_blob(name)
    if found is None:
        raise FileNotFoundError(name)
    blob = bucket.blob(name, generation=found.generation)
    cents = Counter()
    with blob.open("rt", encoding="utf-8-sig", newline="", chunk_size=2**20) as file:
        for row in csv.DictReader(file, strict=True):  # an open quote is an error
            cents[row["city"]] += int(row["cents"])
    return cents


# snippet:check
from google.api_core.exceptions import NotFound
from google.cloud.storage import Blob

bucket = gcs.bucket()
text = '\ufeffcity,cents\r\nKöln,500\r\n"São\nPaulo",200\r\nKöln,1'
for n, text in enumerate((text, text + "\r\n", "", "city,cents\r\n")):
    bucket.blob(str(n)).upload_from_string(text)
    print(dict(cents_by_city(bucket, str(n))))
try:
    cents_by_city(bucket, "gone")
except FileNotFoundError as e:
    print("not found:", e)
bucket.blob("open").upload_from_string('city,cents,note\nBonn,1,"open\nKöln,2,\n')
try:
    print(cents_by_city(bucket, "open"))
except csv.Error as e:
    print(e)
# Characters and rows cross the parts.
bucket.blob("large").upload_from_string("city,cents\n" + "Köln,1\n" * 400_000)
print(dict(cents_by_city(bucket, "large")))
download, parts = Blob.download_as_bytes, []


def replaced(blob, **options):
    parts.append(options["start"])
    if len(parts) == 2:
        bucket.blob("large").upload_from_string("city,cents\n" + "Bonn,1\n" * 400_000)
    return download(blob, **options)


Blob.download_as_bytes = replaced
try:
    cents_by_city(bucket, "large")
except NotFound:
    print("replaced after", len(parts) - 1, "part")
# snippet:prints {'Köln': 501, 'São\nPaulo': 200}
# snippet:prints {'Köln': 501, 'São\nPaulo': 200}
# snippet:prints {}
# snippet:prints {}
# snippet:prints not found: gone
# snippet:prints unexpected end of data
# snippet:prints {'Köln': 400000}
# snippet:prints replaced after 1 part
