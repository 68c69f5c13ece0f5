# snippet:check
# snippet:doc https://docs.python.org/3/library/collections.html#collections.deque collections.deque
# snippet:prints ['system', 'user', 'assistant', 'user'] dropped 2
# snippet:prints no question fits into 80 tokens with what follows it
# snippet:prints no question fits into 80 tokens with what follows it
# snippet:end
from collections import deque
from typing import TypedDict


class Message(TypedDict):
    role: str
    content: str


def tokens(message: Message) -> int:
    return len(message["content"]) // 4 + 4  # an estimate; ask the provider's tokenizer where it must be exact


def fit(conversation: list[Message], limit: int, reserve: int) -> tuple[list[Message], int]:
    """The system messages and the newest others within the limit, and how many were dropped.

    The reserve is for the answer. No answer is kept without its question.
    """
    system = [m for m in conversation if m["role"] == "system"]
    rest = [m for m in conversation if m["role"] != "system"]
    left = limit - reserve - sum(map(tokens, system))
    budget = left
    kept: deque[Message] = deque()
    for message in reversed(rest):
        left -= tokens(message)
        if left < 0:
            break
        kept.appendleft(message)
    while kept and kept[0]["role"] != "user":
        kept.popleft()
    if budget < 0 or (rest and not kept):
        raise ValueError(f"no question fits into {budget} tokens with what follows it")
    return system + list(kept), len(rest) - len(kept)
# snippet:check


def m(role, content):
    return {"role": role, "content": content}


talk = [m("system", ""), m("user", "a" * 40), m("assistant", "b" * 40), m("user", "c" * 40), m("assistant", "d" * 40), m("user", "e" * 40)]
kept, dropped = fit(talk, 64, 4)
print([k["role"] for k in kept], "dropped", dropped)
for newest in ([m("user", "x" * 400)], [m("user", "x" * 200), m("assistant", "x" * 200)]):
    try:
        fit(newest, 100, 20)
    except ValueError as problem:
        print(problem)
