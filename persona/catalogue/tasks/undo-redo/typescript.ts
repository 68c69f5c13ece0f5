// snippet:doc https://www.typescriptlang.org/docs/handbook/2/objects.html#readonly-properties Readonly properties
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

export const start = <T>(present: T): History<T> => ({ past: [], present, future: [] });

export const commit = <T>({ past, present }: History<T>, next: T, limit = 100): History<T> => ({
  past: [...past, present].slice(Math.max(0, past.length + 1 - limit)),
  present: next,
  future: [], // a new edit ends the branch that was undone
});

export function undo<T>({ past, present, future }: History<T>): History<T> {
  if (past.length === 0) return { past, present, future };
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future] };
}

export function redo<T>({ past, present, future }: History<T>): History<T> {
  if (future.length === 0) return { past, present, future };
  return { past: [...past, present], present: future[0]!, future: future.slice(1) };
}
// snippet:check
let document = ["h", "hi", "hi!"].reduce((history, text) => commit(history, text), start(""));
document = redo(undo(undo(document)));
console.log(document.present, document.past.length, document.future);
console.log(undo(start("x")).present, redo(start("x")).present);
// snippet:prints hi 2 [ 'hi!' ]
// snippet:prints x x
