# snippet:doc https://docs.pydantic.dev/latest/concepts/json_schema/ JSON Schema of a model
# snippet:about Language-model APIs
# snippet:needs httpx 0.25, Pydantic 2
import os

import httpx
from pydantic import BaseModel, Field, ValidationError


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
            return Invoice.model_validate_json(answer.get("content"), strict=True)  # strict: "5" is no number
        except ValidationError as error:
            if last:
                raise
            messages += [answer, {"role": "user", "content": f"That is not valid: {error}"}]
    raise AssertionError("unreachable")
# snippet:check


from fake_llm import asked, serve, text

answers = ['{"number": "A-1", "cents": -5}', '{"number": "A-1", "cents": 500}', "no", "none"]


@serve
def reply(body):
    return 200, {}, text(answers.pop(0))


print(read_invoice("A-1, 5.00", "small"))
print([message["role"] for message in asked[1]["messages"]], "greater than 0" in asked[1]["messages"][2]["content"])
print(asked[0]["response_format"]["json_schema"]["schema"]["required"])
try:
    read_invoice("?", "small")
except ValidationError as error:
    print(error.error_count(), len(asked))
answers[:] = ['{"number": "A-2", "cents": true}', '{"number": "A-2", "cents": 7}']
assert read_invoice("?", "small").cents == 7
# snippet:prints number='A-1' cents=500
# snippet:prints ['user', 'assistant', 'user'] True
# snippet:prints ['number', 'cents']
# snippet:prints 1 4
