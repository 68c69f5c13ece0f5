// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Set Set
export type Graph<Name extends string> = Readonly<Record<Name, readonly Name[]>>;

/** Groups that can run in parallel, one after the other; a circle is an error that names what waits for it. */
export function stages<Name extends string>(graph: Graph<Name>): Name[][] {
  const waiting = new Set(Object.keys(graph) as Name[]);
  const unknown = Object.values<readonly Name[]>(graph).flat().find((need) => !waiting.has(need));
  if (unknown !== undefined) throw new Error(`${unknown} is needed, but is not there`);
  const result: Name[][] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].filter((name) => !graph[name].some((need) => waiting.has(need)));
    if (ready.length === 0) throw new Error(`circle among: ${[...waiting].join(", ")}`);
    ready.forEach((name) => waiting.delete(name));
    result.push(ready);
  }
  return result;
}

// The compiler refuses a need that is not a step itself.
const pipeline: Graph<"install" | "lint" | "test" | "build" | "deploy"> = {
  install: [],
  lint: ["install"],
  test: ["install"],
  build: ["install"],
  deploy: ["lint", "test", "build"],
};
stages(pipeline).forEach((names, i) => console.log(`${i + 1}. ${names.join(" + ")}`));
// snippet:usage
for (const graph of [{ a: ["b"], b: ["a"] }, { a: ["b"] }] as Graph<string>[]) {
  try {
    stages(graph);
  } catch (error) {
    console.log((error as Error).message);
  }
}
// snippet:prints 1. install
// snippet:prints 2. lint + test + build
// snippet:prints 3. deploy
// snippet:prints circle among: a, b
// snippet:prints b is needed, but is not there
