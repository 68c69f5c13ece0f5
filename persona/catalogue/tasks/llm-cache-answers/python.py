# snippet:doc https://docs.python.org/3/library/hashlib.html hashlib
# snippet:about Language-model APIs
# snippet:needs httpx 0.25
import hashlib
import json
import os
import secrets
from pathlib import Path

import httpx


def complete(request: dict, cache: Path) -> dict:
    exact = json.dumps([os.environ["LLM_URL"], request], sort_keys=True, ensure_ascii=False)
    file = cache / (hashlib.sha256(exact.encode()).hexdigest() + ".json")
    if file.exists():
        return json.loads(file.read_text("utf-8"))["answer"]
    cache.mkdir(parents=True, exist_ok=True)  # before anything is paid for
    response = httpx.post(
        os.environ["LLM_URL"] + "/chat/completions",
        headers={"Authorization": f"Bearer {os.environ['LLM_KEY']}"},
        json=request,
        timeout=60,
    ).raise_for_status()  # an error status is not kept
    answer = response.json()
    part = file.with_suffix("." + secrets.token_hex(8))  # others may write the same answer
    try:
        part.write_text(json.dumps({"request": request, "answer": answer}), "utf-8")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return answer
# snippet:check


import tempfile

from fake_llm import asked, serve, text


@serve
def reply(body):
    return (500, {}, {}) if body["model"] == "broken" else (200, {}, text("yes"))


with tempfile.TemporaryDirectory() as folder:
    cache = Path(folder)
    for request in {"model": "small", "seed": 1}, {"seed": 1, "model": "small"}, {"model": "small", "seed": 2}:
        print(complete(request, cache)["choices"][0]["message"]["content"], len(asked))
    try:
        complete({"model": "broken"}, cache)
    except httpx.HTTPStatusError:
        print(sorted(file.suffix for file in cache.iterdir()))
# snippet:prints yes 1
# snippet:prints yes 1
# snippet:prints yes 2
# snippet:prints ['.json', '.json']
