# snippet:check
# snippet:doc https://platform.openai.com/docs/api-reference/chat Chat completions
# snippet:about Language-model APIs
import json
# snippet:end
import os

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
def ask(question: str, model: str, most_tokens: int = 500) -> str:
    response = httpx.post(
        os.environ["LLM_URL"] + "/chat/completions",  # "https://llm.example.com/v1/chat/completions"
        headers={"Authorization": f"Bearer {os.environ['LLM_KEY']}"},
        json={
            "model": model,
            "max_tokens": most_tokens,
            "messages": [{"role": "system", "content": "Answer briefly."}, {"role": "user", "content": question}],
        },
        timeout=60,
    )
    response.raise_for_status()
    choice = response.json()["choices"][0]
    if choice["finish_reason"] == "length":
        raise ValueError(f"the answer was cut off after {most_tokens} tokens")
    return choice["message"]["content"]
# snippet:check


def reply(body):
    answer = text("Paris.")
    if body["max_tokens"] < 10:
        answer["choices"][0]["finish_reason"] = "length"
    return (401, {}, {}) if body["model"] == "none" else (200, {}, answer)


print(ask("What is the capital of France?", "small"))
print([message["role"] for message in Fake.asked[0]["messages"]])
for model, most in ("small", 5), ("none", 100):
    try:
        ask("?", model, most)
    except (ValueError, httpx.HTTPStatusError) as error:
        print(type(error).__name__, str(error)[:40])
# snippet:prints Paris.
# snippet:prints ['system', 'user']
# snippet:prints ValueError the answer was cut off after 5 tokens
# snippet:prints HTTPStatusError Client error '401 Unauthorized' for url
