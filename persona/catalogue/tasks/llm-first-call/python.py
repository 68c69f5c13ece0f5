# snippet:doc https://platform.openai.com/docs/api-reference/chat Chat completions
# snippet:about Language-model APIs
# snippet:needs httpx
import os

import httpx


def ask(question: str, model: str, most_tokens: int = 500) -> str:
    response = httpx.post(
        os.environ["LLM_URL"] + "/chat/completions",  # "https://llm.example.com/v1/chat/completions"
        headers={"Authorization": f"Bearer {os.environ['LLM_KEY']}"},
        json={
            "model": model,
            "max_tokens": most_tokens,  # or "max_completion_tokens", as the provider has it
            "messages": [{"role": "system", "content": "Answer briefly."}, {"role": "user", "content": question}],
        },
        timeout=60,
    )
    response.raise_for_status()
    choice = response.json()["choices"][0]
    answer = choice["message"].get("content")
    if choice["finish_reason"] != "stop" or answer is None:  # "length", "content_filter", …, or a refusal
        raise ValueError(f"the answer is not complete: {choice['finish_reason']}")
    return answer
# snippet:check


from fake_llm import asked, serve, text


@serve
def reply(body):
    answer = text("Paris.")
    if body["max_tokens"] < 10:
        answer["choices"][0]["finish_reason"] = "length"
    return (401, {}, {}) if body["model"] == "none" else (200, {}, answer)


print(ask("What is the capital of France?", "small"))
print([message["role"] for message in asked[0]["messages"]])
for model, most in ("small", 5), ("none", 100):
    try:
        ask("?", model, most)
    except (ValueError, httpx.HTTPStatusError) as error:
        print(type(error).__name__, str(error)[:40])
# snippet:prints Paris.
# snippet:prints ['system', 'user']
# snippet:prints ValueError the answer is not complete: length
# snippet:prints HTTPStatusError Client error '401 Unauthorized' for url
