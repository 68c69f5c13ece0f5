# snippet:doc https://docs.python.org/3/library/decimal.html decimal
# snippet:about Language-model APIs
# snippet:into Save it as a module, and import it.
from collections import defaultdict
from decimal import Decimal

# Per million tokens of input and of output; input from a cache is often cheaper, and counts in full here.
PRICES = {"small": (Decimal("0.15"), Decimal("0.60"))}


class Budget:
    def __init__(self, limit: Decimal):
        self.limit = limit
        self.spent: dict[str, Decimal] = defaultdict(Decimal)  # by feature

    def check(self) -> None:
        """Call this before a request: what is under way is not known yet."""
        if (total := sum(self.spent.values())) >= self.limit:
            raise RuntimeError(f"the budget of {self.limit} is spent: {total}")

    def add(self, feature: str, model: str, answer: dict) -> Decimal:
        """Counts a response of /chat/completions."""
        given, made = PRICES[model]
        usage = answer["usage"]
        cost = (given * usage["prompt_tokens"] + made * usage["completion_tokens"]) / 1_000_000
        self.spent[feature] += cost
        return cost
# snippet:check


from fake_llm import text

budget = Budget(Decimal("0.0005"))
budget.check()
print(budget.add("search", "small", text("x")), budget.add("chat", "small", text("y")))
try:
    budget.check()
except RuntimeError as error:
    print(error)
print(dict(budget.spent) == {"search": Decimal("0.00027"), "chat": Decimal("0.00027")})
# snippet:prints 0.00027 0.00027
# snippet:prints the budget of 0.0005 is spent: 0.00054
# snippet:prints True
