// snippet:description The states and events of a media player, and every allowed step between them, in a table. An event that the
// snippet:description current state does not allow returns false and changes nothing.
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Object/freeze Object.freeze()
/** A player's whole behaviour as data: easy to draw, to test and to review. */
const player = Object.freeze({
  idle: { PLAY: "loading" },
  loading: { READY: "playing", FAIL: "error", STOP: "idle" },
  playing: { PAUSE: "paused", STALL: "loading", END: "idle", STOP: "idle" },
  paused: { PLAY: "playing", STOP: "idle" },
  error: { PLAY: "loading" },
});

export function createMachine(definition, state, onChange = () => {}) {
  const can = (event) => Object.hasOwn(definition[state], event);
  return {
    get state() {
      return state;
    },
    can,
    send(event) {
      if (!can(event)) return false; // a click that came too late is no failure
      const previous = state;
      state = definition[state][event];
      onChange({ previous, event, state });
      return true;
    },
  };
}
// snippet:usage
const machine = createMachine(player, "idle", ({ previous, event, state }) =>
  console.log(`${previous} --${event}--> ${state}`),
);
["PLAY", "READY", "PAUSE", "STOP"].forEach(machine.send);
console.log(machine.send("PAUSE"), machine.state, machine.can("PLAY"));
// snippet:prints idle --PLAY--> loading
// snippet:prints loading --READY--> playing
// snippet:prints playing --PAUSE--> paused
// snippet:prints paused --STOP--> idle
// snippet:prints false idle true
