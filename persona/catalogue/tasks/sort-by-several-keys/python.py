# snippet:doc https://docs.python.org/3/howto/sorting.html Sorting techniques
from operator import attrgetter
from typing import NamedTuple


class Player(NamedTuple):
    name: str
    team: str
    score: int


players = [
    Player("Zoë", "red", 40),
    Player("adam", "blue", 55),
    Player("Bea", "red", 55),
    Player("Cy", "blue", 40),
]

# One key: highest score first, then the name without regard to case.
ranking = sorted(players, key=lambda p: (-p.score, p.name.casefold()))
print([p.name for p in ranking])

# Sorting is stable: sort by the lesser key first where a key cannot be negated.
by_team = sorted(players, key=attrgetter("name"), reverse=True)
by_team.sort(key=attrgetter("team"))
print([p.name for p in by_team])
# snippet:prints ['adam', 'Bea', 'Cy', 'Zoë']
# snippet:prints ['adam', 'Cy', 'Zoë', 'Bea']
