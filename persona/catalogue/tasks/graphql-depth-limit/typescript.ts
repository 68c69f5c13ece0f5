// snippet:doc https://www.graphql-js.org/docs/operation-complexity-controls/ Operation complexity controls
// snippet:about GraphQL
import { GraphQLError, Kind, type SelectionSetNode, type ValidationRule } from "graphql";

// validate(schema, document, [...specifiedRules, depthLimit(8)])
export const depthLimit = (most: number): ValidationRule => (context) => {
  const fragments = new Map<string, number>(); // each is measured once, or their number would double with each level

  function ofFragment(name: string): number {
    if (!fragments.has(name)) {
      fragments.set(name, 0); // while it is open: a cycle, which NoFragmentCyclesRule reports
      fragments.set(name, depth(context.getFragment(name)?.selectionSet));
    }
    return fragments.get(name)!;
  }
  function depth(set: SelectionSetNode | undefined): number {
    let deepest = 0;
    for (const part of set?.selections ?? []) {
      const found = part.kind === Kind.FRAGMENT_SPREAD ? ofFragment(part.name.value) : depth(part.selectionSet);
      deepest = Math.max(deepest, part.kind === Kind.FIELD ? found + 1 : found);
    }
    return deepest;
  }
  return {
    OperationDefinition(node) {
      const found = depth(node.selectionSet);
      if (found > most) {
        context.reportError(new GraphQLError(`${found} levels: at most ${most} are allowed`, { nodes: node }));
      }
    },
  };
};
// snippet:check
import { buildSchema, parse, specifiedRules, validate } from "graphql";
const schema = buildSchema("type Query { me: Person } type Person { name: String!, friends: [Person!]! }");
const check = (text: string) => validate(schema, parse(text), [...specifiedRules, depthLimit(3)]).map((error) => error.message);
console.log(check("{ me { friends { name } } }"));
console.log(check("{ me { friends { ... on Person { friends { name } } } } }"));
console.log(check("{ me { ...f } } fragment f on Person { friends { friends { name } } }"));
console.log(check("{ me { ...f } } fragment f on Person { name ...f }"));
// snippet:measures fragments within fragments do not keep the rule busy
const doubling = Array.from({ length: 40 }, (_, i) => `fragment f${i} on Person { ...f${i + 1} ...f${i + 1} }`).join(" ");
const document = parse(`{ me { ...f0 } } ${doubling} fragment f40 on Person { name }`);
console.log(validate(schema, document, [depthLimit(1)]).map((error) => error.message));
// snippet:prints []
// snippet:prints [ '4 levels: at most 3 are allowed' ]
// snippet:prints [ '4 levels: at most 3 are allowed' ]
// snippet:prints [ 'Cannot spread fragment "f" within itself.' ]
// snippet:prints [ '2 levels: at most 1 are allowed' ]
