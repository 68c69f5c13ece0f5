# snippet:doc https://docs.python.org/3/library/asyncio-sync.html#asyncio.Semaphore asyncio.Semaphore
# snippet:about Language-model APIs
# snippet:needs httpx, Python 3.10
import asyncio
import os

import httpx


async def ask_all(questions: list[str], model: str, at_once: int = 8) -> list[str | BaseException]:
    places = asyncio.Semaphore(max(1, at_once))
    headers = {"Authorization": f"Bearer {os.environ['LLM_KEY']}"}
    async with httpx.AsyncClient(base_url=os.environ["LLM_URL"], headers=headers, timeout=60) as client:

        async def ask(question: str) -> str:
            async with places:
                request = {"model": model, "messages": [{"role": "user", "content": question}]}
                response = await client.post("/chat/completions", json=request)
            response.raise_for_status()
            if (answer := response.json()["choices"][0]["message"].get("content")) is None:
                raise ValueError("an answer without a text, such as a refusal")
            return answer

        return await asyncio.gather(*map(ask, questions), return_exceptions=True)
# snippet:check


import threading

from fake_llm import serve, text

busy, most, lock = 0, 0, threading.Lock()


@serve
def reply(body):
    global busy, most
    with lock:
        busy += 1
        most = max(most, busy)
    threading.Event().wait(0.02)
    with lock:
        busy -= 1
    question = body["messages"][0]["content"]
    return (500, {}, {}) if question == "3" else (200, {}, text(None if question == "2" else question * 2))


answers = asyncio.run(ask_all(list("0123456789"), "small", at_once=3))
print([answer if isinstance(answer, str) else type(answer).__name__ for answer in answers][:5])
print(len(answers), 1 < most <= 3)
# snippet:prints ['00', '11', 'ValueError', 'HTTPStatusError', '44']
# snippet:prints 10 True
