# snippet:doc https://platform.openai.com/docs/guides/function-calling Function calling
# snippet:about Language-model APIs
# snippet:needs httpx 0.25
import json
import os
from collections.abc import Callable

import httpx


def run(messages: list[dict], tools: dict[str, Callable], described: list[dict], model: str, rounds: int = 5) -> str:
    for _ in range(rounds):
        response = httpx.post(
            os.environ["LLM_URL"] + "/chat/completions",
            headers={"Authorization": f"Bearer {os.environ['LLM_KEY']}"},
            json={"model": model, "messages": messages, "tools": described},
            timeout=60,
        ).raise_for_status()
        message = response.json()["choices"][0]["message"]
        messages.append(message)
        if not message.get("tool_calls"):
            return message.get("content") or message.get("refusal") or ""
        for call in message["tool_calls"]:
            name = call["function"]["name"]
            try:
                result = json.dumps(tools[name](**json.loads(call["function"]["arguments"])))
            except Exception as error:  # a wrong name, JSON or argument; the tool's own errors, too, with their text
                result = json.dumps(f"error: {error!r}")
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    raise RuntimeError(f"no answer after {rounds} rounds")
# snippet:check


from fake_llm import serve, text

def called(*calls):
    return text(None, tool_calls=[{"id": str(i), "type": "function", "function": {"name": n, "arguments": a}} for i, (n, a) in enumerate(calls)])


@serve
def reply(body):
    if body["model"] == "endless" or len(body["messages"]) == 1:
        return 200, {}, called(("price", '{"sku": "tea"}'), ("delete", "{}"), ("price", "{"), ("odd", "{}"), ("part", '{"of": 0}'))
    if body["model"] == "refusing":
        return 200, {}, text(None, refusal="No.")
    return 200, {}, text("Tea costs 350 cents.")


assert run([{}, {}], {}, [], "refusing") == "No."
talk = [{"role": "user", "content": "What does tea cost?"}]
print(run(talk, {"price": lambda sku: {"cents": 350}, "odd": lambda: {1}, "part": lambda of: 1 / of}, [], "small"))
for message in talk[2:7]:
    print(message["tool_call_id"], message["content"][:20])
try:
    run([{}], {}, [], "endless", rounds=2)
except RuntimeError as error:
    print(error)
# snippet:prints Tea costs 350 cents.
# snippet:prints 0 {"cents": 350}
# snippet:prints 1 "error: KeyError('de
# snippet:prints 2 "error: JSONDecodeEr
# snippet:prints 3 "error: TypeError('O
# snippet:prints 4 "error: ZeroDivision
# snippet:prints no answer after 2 rounds
