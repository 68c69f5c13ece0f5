# snippet:check
# snippet:doc https://docs.python.org/3/library/subprocess.html subprocess
# snippet:prints line 8: prints '4', the document says '5'
# snippet:prints 2 examples, 1 wrong
# snippet:prints line 1: exit status 3
# snippet:prints line 4: still running after 1 seconds
# snippet:prints 2 examples, 2 wrong
# snippet:end
import re
import subprocess
import sys

TIMEOUT = 30
# A block of Python that is not indented, and the block of text with its output that follows, if there is one.
EXAMPLE = re.compile(r"^```python\n(?P<code>.*?)^```$(?:\s*^```text\n(?P<output>.*?)^```$)?", re.DOTALL | re.MULTILINE)


def check(markdown: str) -> int:
    """Runs the Python examples of a document, each by itself, and reports what differs. Returns how many are wrong."""
    examples = wrong = 0
    for example in EXAMPLE.finditer(markdown):
        examples += 1
        line = markdown.count("\n", 0, example.start()) + 1
        command = [sys.executable, "-I", "-c", example["code"]]
        try:
            run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                 errors="replace", timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            run = subprocess.CompletedProcess(command, 1, "", f"still running after {TIMEOUT} seconds")
        if run.returncode:
            problem = (run.stderr.strip() or f"exit status {run.returncode}").splitlines()[-1]
        elif example["output"] is not None and run.stdout.strip() != example["output"].strip():
            problem = f"prints {run.stdout.strip()!r}, the document says {example['output'].strip()!r}"
        else:
            continue
        wrong += 1
        print(f"line {line}: {problem}")
    print(f"{examples} examples, {wrong} wrong")
    return wrong
# snippet:check


document = "# Sums\n\n```python\nprint(1 + 1)\n```\n```text\n2\n```python\nprint(2 + 2)\n```\n\n```text\n5\n```\n"
document = document.replace("2\n```python", "2\n```\n```python").replace("```\n```python", "```\n```python", 1)
document = document.replace("# Sums\n\n", "# Sums\n")
assert check(document) == 1
TIMEOUT = 1
assert check("```python\nraise SystemExit(3)\n```\n```python\nwhile True: pass\n```") == 2
