# snippet:doc https://www.python-httpx.org/quickstart/#streaming-responses Streaming responses
# snippet:about Language-model APIs
# snippet:needs httpx
import json
import os
from collections.abc import Iterator

import httpx


def lines(response: httpx.Response) -> Iterator[bytes]:
    rest = b""
    for piece in response.iter_bytes():  # iter_lines also ends a line at U+2028, which a JSON text may hold
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
    yield rest


def stream(messages: list[dict], model: str) -> Iterator[str]:
    url = os.environ["LLM_URL"] + "/chat/completions"
    request = {"model": model, "messages": messages, "stream": True}
    headers = {"Authorization": f"Bearer {os.environ['LLM_KEY']}"}
    # The limit is for each read: a long answer may take minutes, a silent server may not.
    with httpx.stream("POST", url, json=request, headers=headers, timeout=30) as response:
        response.raise_for_status()
        for line in lines(response):
            field, _, data = line.partition(b":")
            if field != b"data":
                continue  # an empty line, a comment, or another field
            if data.strip() == b"[DONE]":
                return
            for choice in json.loads(data)["choices"]:
                if piece := choice["delta"].get("content"):
                    yield piece
                if (reason := choice.get("finish_reason")) not in (None, "stop"):
                    raise ValueError(f"the answer was cut off: {reason}")
    raise ConnectionError("the answer broke off")
# snippet:check


from fake_llm import serve, text


@serve
def reply(body):
    lines = [": hello", 'data: {"choices": []}', 'data: {"choices": [{"delta": {"role": "assistant"}}]}',
             'data: {"choices": [{"delta": {"content": "Good "}}]}', 'data:{"choices": [{"delta": {"content": "morning"}}]}', "data: [DONE]"]
    lines = lines[:-1] if body["model"] == "broken" else lines
    if body["model"] == "separator":
        lines[3:5] = ['data: {"choices": [{"delta": {"content": "a\u2028b"}}]}\r']
    if body["model"] == "long":
        lines[-1:] = ['data: {"choices": [{"delta": {}, "finish_reason": "length"}]}', "data: [DONE]"]
    return 200, {"Content-Type": "text/event-stream"}, "\n\n".join([*lines, ""]).encode()


print(list(stream([], "small")))
assert list(stream([], "separator")) == ["a\u2028b"]
try:
    for piece in stream([], "broken"):
        print(piece)
except ConnectionError as error:
    print(error)
try:
    list(stream([], "long"))
except ValueError as error:
    print(error)
# snippet:prints ['Good ', 'morning']
# snippet:prints Good 
# snippet:prints morning
# snippet:prints the answer broke off
# snippet:prints the answer was cut off: length
