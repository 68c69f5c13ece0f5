# snippet:check
# snippet:doc https://www.python-httpx.org/quickstart/#streaming-responses Streaming responses
# snippet:about Language-model APIs
# snippet:end
import json
import os
from collections.abc import Iterator

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
def stream(messages: list[dict], model: str) -> Iterator[str]:
    url = os.environ["LLM_URL"] + "/chat/completions"
    request = {"model": model, "messages": messages, "stream": True}
    headers = {"Authorization": f"Bearer {os.environ['LLM_KEY']}"}
    # The limit is for each read: a long answer may take minutes, a silent server may not.
    with httpx.stream("POST", url, json=request, headers=headers, timeout=30) as response:
        response.raise_for_status()
        for line in response.iter_lines():
            field, _, data = line.partition(":")
            if field != "data":
                continue  # an empty line, a comment, or another field
            if data.strip() == "[DONE]":
                return
            for choice in json.loads(data)["choices"]:
                if piece := choice["delta"].get("content"):
                    yield piece
    raise ConnectionError("the answer broke off")
# snippet:check


def reply(body):
    lines = [": hello", 'data: {"choices": []}', 'data: {"choices": [{"delta": {"role": "assistant"}}]}',
             'data: {"choices": [{"delta": {"content": "Good "}}]}', 'data:{"choices": [{"delta": {"content": "morning"}}]}', "data: [DONE]"]
    lines = lines[:-1] if body["model"] == "broken" else lines
    return 200, {"Content-Type": "text/event-stream"}, "\n\n".join([*lines, ""]).encode()


print(list(stream([], "small")))
try:
    for piece in stream([], "broken"):
        print(piece)
except ConnectionError as error:
    print(error)
# snippet:prints ['Good ', 'morning']
# snippet:prints Good 
# snippet:prints morning
# snippet:prints the answer broke off
