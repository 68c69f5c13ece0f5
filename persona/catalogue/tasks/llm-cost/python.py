# snippet:check
# snippet:doc https://docs.python.org/3/library/decimal.html decimal
# snippet:about Language-model APIs
import json
import os
# snippet:end
from collections import defaultdict
from decimal import Decimal
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
# Per million tokens of input and of output.
PRICES = {"small": (Decimal("0.15"), Decimal("0.60"))}


class Budget:
    def __init__(self, limit: Decimal):
        self.limit = limit
        self.spent: dict[str, Decimal] = defaultdict(Decimal)  # by feature

    def check(self) -> None:
        """Call this before a request: what is under way is not known yet."""
        if (total := sum(self.spent.values())) >= self.limit:
            raise RuntimeError(f"the budget of {self.limit} is spent: {total}")

    def add(self, feature: str, model: str, answer: dict) -> Decimal:
        """Counts a response of /chat/completions."""
        given, made = PRICES[model]
        usage = answer["usage"]
        cost = (given * usage["prompt_tokens"] + made * usage["completion_tokens"]) / 1_000_000
        self.spent[feature] += cost
        return cost
# snippet:check


def reply(body):
    return 200, {}, text("x")


budget = Budget(Decimal("0.0005"))
budget.check()
print(budget.add("search", "small", text("x")), budget.add("chat", "small", text("y")))
try:
    budget.check()
except RuntimeError as error:
    print(error)
print(dict(budget.spent) == {"search": Decimal("0.00027"), "chat": Decimal("0.00027")})
# snippet:prints 0.00027 0.00027
# snippet:prints the budget of 0.0005 is spent: 0.00054
# snippet:prints True
