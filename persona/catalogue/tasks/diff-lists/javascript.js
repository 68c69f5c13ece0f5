// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map Map
/**
 * What to add, remove and update so that `current` becomes `wanted`; rows are matched by `id`, which a list has once.
 * Objects within rows, such as lists and dates, need an `isSame` of your own.
 */
export function plan(current, wanted, isSame = shallowEqual) {
  const before = new Map(current.map((row) => [row.id, row]));
  const after = new Map(wanted.map((row) => [row.id, row]));
  return {
    add: wanted.filter((row) => !before.has(row.id)),
    remove: current.filter((row) => !after.has(row.id)),
    update: wanted.filter((row) => before.has(row.id) && !isSame(before.get(row.id), row)),
  };
}

function shallowEqual(a, b) {
  const keys = Object.keys({ ...a, ...b });
  return keys.every((key) => Object.is(a[key], b[key]));
}

const live = [{ id: "api", size: 2 }, { id: "cron", size: 1 }, { id: "web", size: 3 }];
const wanted = [{ id: "api", size: 4 }, { id: "web", size: 3 }, { id: "mail", size: 1 }];
console.log(plan(live, wanted));
// snippet:prints {
// snippet:prints   add: [ { id: 'mail', size: 1 } ],
// snippet:prints   remove: [ { id: 'cron', size: 1 } ],
// snippet:prints   update: [ { id: 'api', size: 4 } ]
// snippet:prints }
