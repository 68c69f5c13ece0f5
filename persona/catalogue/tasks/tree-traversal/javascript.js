// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Operators/yield* yield*
/** Visit a tree depth first, lazily: the caller may stop at any node. */
export function* walk(node, depth = 0) {
  yield { node, depth };
  for (const child of node.children ?? []) yield* walk(child, depth + 1);
}

export function find(root, matches) {
  for (const { node } of walk(root)) if (matches(node)) return node;
  return undefined;
}

const page = {
  tag: "main",
  children: [
    { tag: "h1", text: "Tea" },
    { tag: "ul", children: [{ tag: "li", text: "Assam" }, { tag: "li", text: "Sencha" }] },
  ],
};

for (const { node, depth } of walk(page)) {
  console.log("  ".repeat(depth) + node.tag + (node.text ? `: ${node.text}` : ""));
}
console.log(find(page, (node) => node.text?.startsWith("S")).text);
// snippet:prints main
// snippet:prints   h1: Tea
// snippet:prints   ul
// snippet:prints     li: Assam
// snippet:prints     li: Sencha
// snippet:prints Sencha
