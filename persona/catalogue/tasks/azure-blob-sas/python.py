# snippet:doc https://learn.microsoft.com/azure/storage/common/storage-sas-overview Shared access signatures
# snippet:about Microsoft Azure
# snippet:check
import urllib.error
import urllib.request

import azurite

# snippet:end
from datetime import datetime, timedelta, timezone
from urllib.parse import quote

from azure.storage.blob import BlobClient, BlobSasPermissions, generate_blob_sas


def download_link(blob: BlobClient, account_key: str, file_name: str, minutes: int = 15) -> str:
    token = generate_blob_sas(
        account_name=blob.account_name,
        container_name=blob.container_name,
        blob_name=blob.blob_name,
        account_key=account_key,  # or a user_delegation_key, where the account has its keys turned off
        permission=BlobSasPermissions(read=True),
        expiry=datetime.now(timezone.utc) + timedelta(minutes=minutes),
        content_disposition=f"attachment; filename*=UTF-8''{quote(file_name, safe='')}",
    )
    return f"{blob.url}?{token}"


# snippet:check
container = azurite.container()
blob, other = (container.upload_blob(name, name.encode()) for name in ("march.pdf", "april.pdf"))


def status(url, method="GET"):
    try:
        request = urllib.request.Request(url, data=b"x" if method == "PUT" else None, method=method, headers={"x-ms-blob-type": "BlockBlob"})
        with urllib.request.urlopen(request) as response:
            return response.status, response.headers["Content-Disposition"]
    except urllib.error.HTTPError as e:
        return e.code


link = download_link(blob, azurite.KEY, "März.pdf")
print(*status(link))
print(status(link, "PUT"), status(link.replace("march", "april")), status(blob.url), status(download_link(blob, azurite.KEY, "a", minutes=-1)))
# snippet:prints 200 attachment; filename*=UTF-8''M%C3%A4rz.pdf
# snippet:prints 403 403 403 403
