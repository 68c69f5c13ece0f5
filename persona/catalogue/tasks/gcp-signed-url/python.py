# snippet:doc https://cloud.google.com/storage/docs/access-control/signed-urls Signed URLs
# snippet:about Google Cloud
# snippet:check
import gcs

# snippet:end
from datetime import timedelta
from urllib.parse import quote

from google.cloud.storage import Blob


def download_link(blob: Blob, file_name: str, minutes: int = 15) -> str:
    # Signed here, with the key of the client's service account; without such a key,
    # service_account_email and access_token have IAM sign it.
    return blob.generate_signed_url(
        version="v4",
        method="GET",
        expiration=timedelta(minutes=minutes),
        response_disposition=f"attachment; filename*=UTF-8''{quote(file_name, safe='')}",
    )


# snippet:check
import hashlib
from urllib.parse import parse_qs, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256

# snippet:measures the signature covers the method, the object's name and the time
bucket, key = gcs.signing_bucket()
link = urlsplit(download_link(bucket.blob("2026/march 1.pdf"), "März, 1.pdf"))
query = parse_qs(link.query)


def valid(method, path, query_string):
    """Cloud Storage's own check: https://cloud.google.com/storage/docs/authentication/canonical-requests"""
    pairs, _, signature = query_string.rpartition("&X-Goog-Signature=")
    pairs = "&".join(sorted(pairs.split("&")))
    canonical = "\n".join([method, path, pairs, f"host:{link.netloc}", "", "host", "UNSIGNED-PAYLOAD"])
    scope = query["X-Goog-Credential"][0].partition("/")[2]
    text = "\n".join(["GOOG4-RSA-SHA256", query["X-Goog-Date"][0], scope, hashlib.sha256(canonical.encode()).hexdigest()])
    try:
        key.public_key().verify(bytes.fromhex(signature), text.encode(), PKCS1v15(), SHA256())
        return True
    except InvalidSignature:
        return False


print(valid("GET", link.path, link.query), query["X-Goog-Expires"], link.path.endswith("/files/2026/march%201.pdf"))
print(valid("PUT", link.path, link.query), valid("GET", link.path.replace("march", "april"), link.query), valid("GET", link.path, link.query.replace("Expires=900", "Expires=901")))
print(query["response-content-disposition"])
# snippet:prints True ['900'] True
# snippet:prints False False False
# snippet:prints ["attachment; filename*=UTF-8''M%C3%A4rz%2C%201.pdf"]
