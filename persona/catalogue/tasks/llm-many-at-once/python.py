# snippet:check
# snippet:doc https://docs.python.org/3/library/asyncio-sync.html#asyncio.Semaphore asyncio.Semaphore
# snippet:about Language-model APIs
import json
# snippet:end
import asyncio
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
async def ask_all(questions: list[str], model: str, at_once: int = 8) -> list[str | BaseException]:
    places = asyncio.Semaphore(at_once)
    headers = {"Authorization": f"Bearer {os.environ['LLM_KEY']}"}
    async with httpx.AsyncClient(base_url=os.environ["LLM_URL"], headers=headers, timeout=60) as client:

        async def ask(question: str) -> str:
            async with places:
                request = {"model": model, "messages": [{"role": "user", "content": question}]}
                response = await client.post("/chat/completions", json=request)
            response.raise_for_status()
            return response.json()["choices"][0]["message"]["content"]

        return await asyncio.gather(*map(ask, questions), return_exceptions=True)
# snippet:check


busy, most, lock = 0, 0, threading.Lock()


def reply(body):
    global busy, most
    with lock:
        busy += 1
        most = max(most, busy)
    threading.Event().wait(0.02)
    with lock:
        busy -= 1
    question = body["messages"][0]["content"]
    return (500, {}, {}) if question == "3" else (200, {}, text(question * 2))


answers = asyncio.run(ask_all(list("0123456789"), "small", at_once=3))
print([answer if isinstance(answer, str) else type(answer).__name__ for answer in answers][:5])
print(len(answers), 1 < most <= 3)
# snippet:prints ['00', '11', '22', 'HTTPStatusError', '44']
# snippet:prints 10 True
