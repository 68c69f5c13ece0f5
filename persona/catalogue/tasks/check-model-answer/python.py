# snippet:check
# snippet:doc https://docs.python.org/3/library/json.html#json.JSONDecoder.raw_decode JSONDecoder.raw_decode
# snippet:prints {'sentiment': 'good', 'score': 4}
# snippet:prints asked 2 times
# snippet:prints given up: sentiment: one of good, bad, mixed; score: a whole number from 1 to 5
# snippet:end
import json
from collections.abc import Callable

SENTIMENTS = ("good", "bad", "mixed")


def problems(answer: object) -> list[str]:
    if not isinstance(answer, dict):
        return ["the answer: one JSON object"]
    found = []
    if answer.get("sentiment") not in SENTIMENTS:
        found.append(f"sentiment: one of {', '.join(SENTIMENTS)}")
    score = answer.get("score")
    if type(score) is not int or not 1 <= score <= 5:  # a bool is an int to isinstance
        found.append("score: a whole number from 1 to 5")
    return found


def ask(model: Callable[[str], str], prompt: str, attempts: int = 2) -> dict:
    """Asks until the answer is valid, at most `attempts` times. The complaint names what is allowed."""
    wrong: list[str] = []
    for _ in range(attempts):
        text = model(prompt if not wrong else f"{prompt}\nYour last answer was wrong: {'; '.join(wrong)}.")
        try:
            answer, _ = json.JSONDecoder().raw_decode(text[max(text.find("{"), 0):])  # there may be words around it
        except (ValueError, RecursionError):
            answer = None
        wrong = problems(answer)
        if not wrong:
            return {field: answer[field] for field in ("sentiment", "score")}
    raise ValueError("; ".join(wrong))
# snippet:check


prompts = []
answers = iter(['Sure! {"sentiment": "great", "score": 4}', '```json\n{"sentiment": "good", "score": 4, "next": "rm"}\n```'])


def model(prompt):
    prompts.append(prompt)
    return next(answers)


print(ask(model, "Rate it."))
assert "one of good, bad, mixed" in prompts[1]
assert problems([]) and ask(lambda prompt: '{"sentiment": "bad", "score": 1}', "")["score"] == 1
try:
    ask(lambda prompt: '{"a":' * 200_000, "Rate it.")
except ValueError as problem:
    assert str(problem) == "the answer: one JSON object"
print("asked", len(prompts), "times")
try:
    ask(lambda prompt: '{"score": true}', "Rate it.")
except ValueError as problem:
    print("given up:", problem)
