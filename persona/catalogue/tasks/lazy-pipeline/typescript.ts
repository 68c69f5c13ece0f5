// snippet:doc https://www.typescriptlang.org/docs/handbook/iterators-and-generators.html Iterators and generators
/** Each step asks the one before it for the next item: nothing runs before it is wanted. */
export function* map<T, R>(source: Iterable<T>, convert: (item: T) => R): Generator<R> {
  for (const item of source) yield convert(item);
}

export function* filter<T>(source: Iterable<T>, keep: (item: T) => boolean): Generator<T> {
  for (const item of source) if (keep(item)) yield item;
}

export function* take<T>(source: Iterable<T>, count: number): Generator<T> {
  if (count <= 0) return; // do not even ask for the first
  for (const item of source) {
    yield item;
    if (--count <= 0) return; // ends the whole chain, and closes a file at its start
  }
}

function* naturals(): Generator<number> {
  for (let n = 1; ; n++) yield n;
}

const evenSquares = map(filter(naturals(), (n) => n % 2 === 0), (n) => n * n);
console.log([...take(evenSquares, 4)]);
// snippet:prints [ 4, 16, 36, 64 ]
