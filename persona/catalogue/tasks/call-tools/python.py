# snippet:check
# snippet:doc https://docs.python.org/3/library/inspect.html#inspect.signature inspect.signature
# snippet:measures what is not on the list is not called
# snippet:prints {"result": "18 degrees in Oslo"}
# snippet:prints {"error": "no such tool: __import__"}
# snippet:prints {"error": "weather: missing a required argument: 'city'"}
# snippet:prints {"error": "weather: the service does not answer"}
# snippet:end
import inspect
import json
from collections.abc import Callable

TOOLS: dict[str, Callable] = {}


def tool(function: Callable) -> Callable:
    """Puts a function on the list of what a model may call. What is not on it does not exist."""
    TOOLS[function.__name__] = function
    return function


def call(name: str, arguments: str) -> str:
    """Runs what the model asked for. Every failure goes back to the model as text, so that it can try again."""
    function = TOOLS.get(name)
    if function is None:
        return json.dumps({"error": f"no such tool: {name}"})
    try:
        bound = inspect.signature(function).bind(**json.loads(arguments))  # names and number, before it runs
    except (TypeError, ValueError, RecursionError) as problem:
        return json.dumps({"error": f"{name}: {problem}"})
    try:
        return json.dumps({"result": function(*bound.args, **bound.kwargs)}, allow_nan=False)
    except Exception as problem:  # a tool's failure must not end the conversation
        return json.dumps({"error": f"{name}: {problem}"})
# snippet:check


@tool
def weather(city: str) -> str:
    if city == "Atlantis":
        raise OSError("the service does not answer")
    return f"18 degrees in {city}"


print(call("weather", '{"city": "Oslo"}'))
print(call("__import__", '{"name": "os"}'))
print(call("weather", "{}"))
print(call("weather", '{"city": "Atlantis"}'))
assert "error" in call("weather", "[" * 200_000)
assert "error" in call("weather", "not json") and "error" in call("weather", "[1]")
