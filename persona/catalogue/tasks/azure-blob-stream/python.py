# snippet:doc https://learn.microsoft.com/azure/storage/blobs/storage-blob-download-python Download a blob with Python
# snippet:about Microsoft Azure
# snippet:check
import azurite

# snippet:end
import codecs
import csv
from collections import Counter
from collections.abc import Iterator

from azure.storage.blob import BlobClient


def lines(blob: BlobClient) -> Iterator[str]:
    rest = ""
    # One decoder for all chunks: a character can begin in one chunk and end in the next.
    for text in codecs.iterdecode(blob.download_blob().chunks(), "utf-8-sig"):
        *whole, rest = (rest + text).split("\n")
        yield from (line + "\n" for line in whole)
    if rest:
        yield rest


def cents_by_city(blob: BlobClient) -> Counter[str]:
    cents = Counter()
    for row in csv.DictReader(lines(blob), strict=True):  # an open quote is an error
        cents[row["city"]] += int(row["cents"])
    return cents


# snippet:check
from azure.storage.blob import BlobServiceClient

azurite.container("sales")
service = BlobServiceClient.from_connection_string(azurite.CONNECTION, max_single_get_size=7, max_chunk_get_size=7)
blob = service.get_blob_client("sales", "march.csv")
text = '\ufeffcity,cents\r\nKöln,500\r\n"São\nPaulo",200\r\nKöln,1'
for text in (text, text + "\r\n"):
    blob.upload_blob(text.encode(), overwrite=True)
    print(dict(cents_by_city(blob)))
blob.upload_blob('city,cents,note\nBonn,1,"open\nKöln,2,\n', overwrite=True)
try:
    print(cents_by_city(blob))
except csv.Error as e:
    print(e)
# snippet:prints {'Köln': 501, 'São\nPaulo': 200}
# snippet:prints {'Köln': 501, 'São\nPaulo': 200}
# snippet:prints unexpected end of data
