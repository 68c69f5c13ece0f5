// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/WeakMap WeakMap
/** Remember results per object; entries vanish together with the object they belong to. */
export function memoizeWeak<K extends WeakKey, V>(compute: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, V>();
  return (key) => {
    if (!cache.has(key)) cache.set(key, compute(key));
    return cache.get(key) as V; // `has` tells a stored undefined from a missing one
  };
}

/** One call for all who ask, meanwhile and later; only failures are not remembered. */
export function memoizeAsync<A extends string | number, V>(
  load: (argument: A) => Promise<V>,
): (argument: A) => Promise<V> {
  const answers = new Map<A, Promise<V>>();
  return (argument) => {
    let promise = answers.get(argument);
    if (!promise) {
      promise = load(argument);
      answers.set(argument, promise);
      promise.catch(() => answers.delete(argument));
    }
    return promise;
  };
}
// snippet:check
let calls = 0;
const user = memoizeAsync(async (id: number) => {
  calls++;
  if (calls === 1) throw new Error("offline");
  return `user ${id}`;
});
await user(7).catch(() => console.log("failed once"));
console.log((await Promise.all([user(7), user(7)])).join(), calls);
const size = memoizeWeak((list: number[]) => (calls++, list.length));
const list = [1, 2, 3];
console.log(size(list) + size(list), calls);
// snippet:prints failed once
// snippet:prints user 7,user 7 2
// snippet:prints 6 3
