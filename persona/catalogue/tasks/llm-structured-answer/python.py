# snippet:check
# snippet:doc https://docs.pydantic.dev/latest/concepts/json_schema/ JSON Schema of a model
# snippet:about Language-model APIs
import json
# snippet:end
import os

import httpx
from pydantic import BaseModel, Field, ValidationError
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
class Invoice(BaseModel):
    number: str
    cents: int = Field(gt=0)


def read_invoice(text: str, model: str) -> Invoice:
    messages = [{"role": "user", "content": f"Extract the invoice as JSON.\n\n{text}"}]
    schema = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": Invoice.model_json_schema()}}
    for last in (False, True):
        response = httpx.post(
            os.environ["LLM_URL"] + "/chat/completions",
            headers={"Authorization": f"Bearer {os.environ['LLM_KEY']}"},
            json={"model": model, "messages": messages, "response_format": schema},
            timeout=60,
        ).raise_for_status()
        answer = response.json()["choices"][0]["message"]
        try:
            return Invoice.model_validate_json(answer["content"])
        except ValidationError as error:
            if last:
                raise
            messages += [answer, {"role": "user", "content": f"That is not valid: {error}"}]
    raise AssertionError("unreachable")
# snippet:check


answers = ['{"number": "A-1", "cents": -5}', '{"number": "A-1", "cents": 500}', "no", "none"]


def reply(body):
    return 200, {}, text(answers.pop(0))


print(read_invoice("A-1, 5.00", "small"))
print([message["role"] for message in Fake.asked[1]["messages"]], "greater than 0" in Fake.asked[1]["messages"][2]["content"])
print(Fake.asked[0]["response_format"]["json_schema"]["schema"]["required"])
try:
    read_invoice("?", "small")
except ValidationError as error:
    print(error.error_count(), len(Fake.asked))
# snippet:prints number='A-1' cents=500
# snippet:prints ['user', 'assistant', 'user'] True
# snippet:prints ['number', 'cents']
# snippet:prints 1 4
