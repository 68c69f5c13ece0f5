# snippet:usage
# snippet:doc https://docs.python.org/3/library/codecs.html#incremental-encoding-and-decoding Incremental decoding
# snippet:end
import codecs
import json
from collections.abc import Iterable, Iterator


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """The data of each server-sent event. Chunks may end anywhere, within a line or a character.

    Lines end in LF or CR LF; CR alone, which the standard allows too, is not taken for an end.
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    rest, data = "", []
    for chunk in chunks:
        *lines, rest = (rest + decoder.decode(chunk)).replace("\r\n", "\n").split("\n")
        for line in lines:
            if line.startswith("data:"):
                data.append(line[5:].removeprefix(" "))
            elif line == "" and data:  # a blank line ends the event
                yield "\n".join(data)
                data = []


def answer(chunks: Iterable[bytes]) -> Iterator[str]:
    """The pieces of a chat completion, to be shown as they come."""
    for event in events(chunks):
        if event == "[DONE]":
            return
        message = json.loads(event)
        if message.get("error"):  # also after some of the answer
            raise ConnectionError(f"the answer broke off: {message['error']}")
        for choice in message["choices"]:  # none in the event that counts the tokens
            yield choice["delta"].get("content") or ""
    raise ConnectionError("the stream ended without [DONE]")
# snippet:usage
# snippet:prints Grüße, Welt!
# snippet:prints ['a\nb', 'c']


def stream(*texts, end="data: [DONE]\n\n"):
    lines = [f"data: {json.dumps({'choices': [{'delta': {'content': t}}]}, ensure_ascii=False)}\n\n" for t in texts]
    raw = (": ping\n\n" + "".join(lines) + 'data: {"choices": [], "usage": {}}\n\n' + end).encode()
    return [raw[i:i + 1] for i in range(len(raw))]  # the worst case: byte by byte


print("".join(answer(stream("Grüße, ", "Welt!"))))
print(list(events([b"data: a\r\nda", b"ta: b\r\n\r\nid: 1\ndata:c\n\n"])))
# snippet:check
# snippet:prints the stream ended without [DONE]
# snippet:prints the answer broke off: {'message': 'overloaded'}
try:
    list(answer(stream("x", end="")))
except ConnectionError as problem:
    print(problem)
try:
    list(answer(stream("x", end='data: {"error": {"message": "overloaded"}}\n\n')))
except ConnectionError as problem:
    print(problem)
