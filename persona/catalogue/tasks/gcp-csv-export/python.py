# snippet:doc https://cloud.google.com/storage/docs/streaming-uploads Streaming uploads
# snippet:about Google Cloud
# snippet:needs google-cloud-storage 3
# snippet:check
import gcs

# snippet:end
import codecs
import csv
from collections.abc import Iterable, Sequence

from google.cloud.storage import Blob


def export(blob: Blob, header: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    count = 0
    with blob.open("wb", content_type="text/csv; charset=utf-8", chunk_size=2**20) as file:
        writer = csv.writer(codecs.getwriter("utf-8")(file))
        writer.writerow(header)
        for row in rows:
            writer.writerow(row)
            count += 1
    return count


# snippet:check
bucket = gcs.bucket()
blob = bucket.blob("report.csv")
print(export(blob, ["city", "cents"], [["Köln", 5], ["a,b", None]]), bucket.blob("report.csv").download_as_bytes())
print(export(blob, ["city"], []), bucket.blob("report.csv").download_as_bytes(), bucket.get_blob("report.csv").content_type)


def failing(rows):
    for n in range(rows):
        yield ["Köln", n]
    raise ConnectionError("the database is gone")


for rows in (1, 200_000):
    try:
        export(blob, ["city", "cents"], failing(rows))
    except ConnectionError as e:
        print(e, bucket.blob("report.csv").download_as_bytes())
print(export(blob, ["city", "cents"], (["Köln", n] for n in range(200_000))), len(bucket.blob("report.csv").download_as_text().splitlines()))
try:
    with bucket.blob("text.csv").open("wt") as file:
        file.write("half")
        raise ConnectionError
except ConnectionError:
    print(bucket.blob("text.csv").download_as_text())
# snippet:prints 2 b'city,cents\r\nK\xc3\xb6ln,5\r\n"a,b",\r\n'
# snippet:prints 0 b'city\r\n' text/csv; charset=utf-8
# snippet:prints the database is gone b'city\r\n'
# snippet:prints the database is gone b'city\r\n'
# snippet:prints 200000 200001
# snippet:prints half
