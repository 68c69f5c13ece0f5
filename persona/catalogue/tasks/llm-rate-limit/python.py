# snippet:doc https://www.rfc-editor.org/rfc/rfc9110.html#name-retry-after Retry-After
# snippet:about Language-model APIs
# snippet:needs httpx
import os
import random
import time

import httpx


def complete(request: dict, tries: int = 5, sleep=time.sleep) -> dict:
    url, headers = os.environ["LLM_URL"] + "/chat/completions", {"Authorization": f"Bearer {os.environ['LLM_KEY']}"}
    for attempt in range(tries):
        response = httpx.post(url, headers=headers, json=request, timeout=60)
        if response.status_code not in (429, 503) or attempt == tries - 1:
            break
        wait = response.headers.get("Retry-After", "")
        # It may be a date, too: then, as without it, the pause doubles, and is spread.
        seconds = float(wait) if wait.isdecimal() else min(2**attempt, 60) * random.uniform(0.5, 1)
        if seconds > 60:
            break
        sleep(seconds)
    response.raise_for_status()
    return response.json()
# snippet:check


from fake_llm import serve, text

waits = {"1": [(429, {"Retry-After": "7"}, {}), (503, {}, {}), (200, {}, text("yes"))], "2": [(429, {}, {})] * 5, "3": [(400, {}, {})], "4": [(429, {"Retry-After": "3600"}, {})], "5": [(429, {"Retry-After": "9" * 5000}, {})]}


@serve
def reply(body):
    return waits[body["model"]].pop(0)


pauses = []
print(complete({"model": "1"}, sleep=pauses.append)["choices"][0]["message"]["content"], pauses[0], 1 <= pauses[1] <= 2)
for model in "2", "3", "4", "5":
    pauses.clear()
    try:
        complete({"model": model}, tries=3, sleep=pauses.append)
    except httpx.HTTPStatusError as error:
        print(error.response.status_code, len(pauses))
# snippet:prints yes 7.0 True
# snippet:prints 429 2
# snippet:prints 400 0
# snippet:prints 429 0
# snippet:prints 429 0
