// snippet:doc https://www.typescriptlang.org/docs/handbook/2/everyday-types.html#union-types Union types
export type Change<T> =
  | { kind: "add"; after: T }
  | { kind: "remove"; before: T }
  | { kind: "update"; before: T; after: T; fields: (keyof T)[] };

/** Each list has an id once. Fields are compared with `===`: they should be numbers or text, and NaN is a change. */
export function diff<T extends { readonly id: string }>(before: T[], after: T[]): Change<T>[] {
  const old = new Map(before.map((row) => [row.id, row]));
  const changes = after.flatMap((row): Change<T>[] => {
    const previous = old.get(row.id);
    old.delete(row.id);
    if (!previous) return [{ kind: "add", after: row }];
    const keys = Object.keys({ ...previous, ...row }) as (keyof T)[]; // an optional one may be gone
    const fields = keys.filter((key) => row[key] !== previous[key]);
    return fields.length > 0 ? [{ kind: "update", before: previous, after: row, fields }] : [];
  });
  return changes.concat([...old.values()].map((row) => ({ kind: "remove", before: row })));
}

const live = [{ id: "api", size: 2 }, { id: "cron", size: 1 }, { id: "web", size: 3 }];
const wanted = [{ id: "api", size: 4 }, { id: "web", size: 3 }, { id: "mail", size: 1 }];
for (const change of diff(live, wanted)) {
  const { id } = change.kind === "remove" ? change.before : change.after;
  console.log(`${change.kind} ${id}`, change.kind === "update" ? change.fields : []);
}
// snippet:prints update api [ 'size' ]
// snippet:prints add mail []
// snippet:prints remove cron []
