// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Intl/Collator Intl.Collator
// snippet:needs Node.js 20
const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** A comparator for numbers (no NaN) and texts (no null): `by("team", "-points", "name")`; a minus sorts downwards. */
function by(...keys) {
  return (a, b) => {
    for (const key of keys) {
      const [sign, name] = key.startsWith("-") ? [-1, key.slice(1)] : [1, key];
      const [x, y] = [a[name], b[name]];
      const order = typeof x === "number" ? (x > y) - (x < y) : compare(x, y);
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}

const players = [
  { name: "Zoë", team: "red", points: 40 },
  { name: "émile", team: "blue", points: 55 },
  { name: "Player 10", team: "red", points: 55 },
  { name: "player 9", team: "red", points: 55 },
];

// toSorted leaves the original as it is: safe for state that a view depends on.
console.table(players.toSorted(by("team", "-points", "name")));
// snippet:prints ┌─────────┬─────────────┬────────┬────────┐
// snippet:prints │ (index) │ name        │ team   │ points │
// snippet:prints ├─────────┼─────────────┼────────┼────────┤
// snippet:prints │ 0       │ 'émile'     │ 'blue' │ 55     │
// snippet:prints │ 1       │ 'player 9'  │ 'red'  │ 55     │
// snippet:prints │ 2       │ 'Player 10' │ 'red'  │ 55     │
// snippet:prints │ 3       │ 'Zoë'       │ 'red'  │ 40     │
// snippet:prints └─────────┴─────────────┴────────┴────────┘
