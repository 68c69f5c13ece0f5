# snippet:check
# snippet:doc https://docs.python.org/3/library/hashlib.html hashlib
# snippet:about Language-model APIs
# snippet:end
import hashlib
import json
import os
from pathlib import Path

import httpx
# snippet:check
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Fake(BaseHTTPRequestHandler):
    asked: list = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Fake.asked.append(body)
        status, headers, answer = reply(body)
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


def text(content, **more):
    return {"choices": [{"message": {"role": "assistant", "content": content, **more}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 200}}


server = ThreadingHTTPServer(("127.0.0.1", 0), Fake)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ.update(LLM_URL=f"http://127.0.0.1:{server.server_port}/v1", LLM_KEY="k")
# snippet:end
def complete(request: dict, cache: Path) -> dict:
    exact = json.dumps(request, sort_keys=True, ensure_ascii=False)
    file = cache / (hashlib.sha256(exact.encode()).hexdigest() + ".json")
    if file.exists():
        return json.loads(file.read_text("utf-8"))["answer"]
    response = httpx.post(
        os.environ["LLM_URL"] + "/chat/completions",
        headers={"Authorization": f"Bearer {os.environ['LLM_KEY']}"},
        json=request,
        timeout=60,
    ).raise_for_status()  # an error is not kept
    answer = response.json()
    part = file.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps({"request": request, "answer": answer}), "utf-8")
    part.replace(file)
    return answer
# snippet:check


def reply(body):
    return (500, {}, {}) if body["model"] == "broken" else (200, {}, text("yes"))


import tempfile

with tempfile.TemporaryDirectory() as folder:
    cache = Path(folder)
    for request in {"model": "small", "seed": 1}, {"seed": 1, "model": "small"}, {"model": "small", "seed": 2}:
        print(complete(request, cache)["choices"][0]["message"]["content"], len(Fake.asked))
    try:
        complete({"model": "broken"}, cache)
    except httpx.HTTPStatusError:
        print(sorted(file.suffix for file in cache.iterdir()))
# snippet:prints yes 1
# snippet:prints yes 1
# snippet:prints yes 2
# snippet:prints ['.json', '.json']
