# snippet:doc https://docs.python.org/3/library/enum.html enum
# snippet:needs Python 3.10
from enum import Enum, auto


class State(Enum):
    LOCKED = auto()
    UNLOCKED = auto()
    ALARM = auto()


class Event(Enum):
    COIN = auto()
    PUSH = auto()
    RESET = auto()


def step(state: State, event: Event) -> State:
    """All the rules on one page; what is not listed is a mistake worth hearing of."""
    match state, event:
        case (State.LOCKED | State.UNLOCKED), Event.COIN:
            return State.UNLOCKED
        case State.UNLOCKED, Event.PUSH:
            return State.LOCKED
        case State.LOCKED, Event.PUSH:
            return State.ALARM
        case _, Event.RESET:
            return State.LOCKED
        case _:
            raise ValueError(f"{event.name} makes no sense while {state.name}")
# snippet:usage


state = State.LOCKED
for event in (Event.COIN, Event.PUSH, Event.PUSH, Event.RESET):
    state = step(state, event)
    print(event.name, "->", state.name)
try:
    step(State.ALARM, Event.COIN)
except ValueError as error:
    print(error)
# snippet:prints COIN -> UNLOCKED
# snippet:prints PUSH -> LOCKED
# snippet:prints PUSH -> ALARM
# snippet:prints RESET -> LOCKED
# snippet:prints COIN makes no sense while ALARM
