# snippet:doc https://docs.python.org/3/library/functions.html#input input
# snippet:into Save it as guess.py, and run it in a terminal, where it asks.
# snippet:prints I think of a number from 1 to 100. Higher.
# snippet:prints Please type a number from 1 to 100.
# snippet:prints Please type a number from 1 to 100.
# snippet:prints Lower.
# snippet:prints Found, in 3 attempts!
# snippet:check
import builtins
import random

answers = iter(["50", "sixty", "101", " 75 ", "60"])
builtins.input = lambda prompt="": print(prompt, end="") or next(answers)
random.randint = lambda low, high: 60
# snippet:end
import random


def ask(prompt: str) -> int:
    """Ask until the player types a number from 1 to 100."""
    while True:
        text = input(prompt).strip()
        if text.isdecimal() and 1 <= int(text) <= 100:
            return int(text)
        prompt = ""
        print("Please type a number from 1 to 100.")


secret = random.randint(1, 100)
attempts = 1
guess = ask("I think of a number from 1 to 100. ")
while guess != secret:
    print("Higher." if guess < secret else "Lower.")
    guess = ask("")
    attempts += 1
print(f"Found, in {attempts} attempts!")
