# snippet:doc https://flask.palletsprojects.com/en/stable/patterns/fileuploads/ Uploading files
# snippet:about Flask
# snippet:needs Flask 2.3
# snippet:check
# snippet:prints 201 True
# snippet:prints 415
# snippet:prints 413
# snippet:end
import uuid
from pathlib import Path

from flask import Flask, abort, request

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 2 * 1024 * 1024
UPLOADS = Path("uploads")
UPLOADS.mkdir(exist_ok=True)
TYPES = {b"\x89PNG\r\n\x1a\n": ".png", b"\xff\xd8\xff": ".jpg"}


@app.post("/pictures")
def upload():
    picture = request.files.get("picture") or abort(400)
    start = picture.stream.read(8)
    picture.stream.seek(0)
    suffix = next((s for magic, s in TYPES.items() if start.startswith(magic)), None) or abort(415)
    name = f"{uuid.uuid4()}{suffix}"  # not picture.filename: that may be "../app.py"
    picture.save(UPLOADS / name)
    return {"name": name}, 201


# snippet:check
import io
client = app.test_client()


def send(content, name):
    return client.post("/pictures", data={"picture": (io.BytesIO(content), name)})


good = send(b"\x89PNG\r\n\x1a\n....", "../../app.py")
print(good.status_code, [f.name for f in UPLOADS.iterdir()] == [good.json["name"]])
print(send(b"#!/bin/sh", "nice.png").status_code)
big = b"\x89PNG\r\n\x1a\n" + bytes(3_000_000)
print(send(big, "big.png").status_code)
body = b'--x\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\n' + big + b"\r\n--x--\r\n"
chunked = client.post(
    "/pictures", input_stream=io.BytesIO(body), headers={"Content-Type": "multipart/form-data; boundary=x"},
    environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
)
assert chunked.status_code == 413, chunked.status
