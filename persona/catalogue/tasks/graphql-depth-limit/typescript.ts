// snippet:doc https://www.graphql-js.org/docs/operation-complexity-controls/ Operation complexity controls
// snippet:about GraphQL
import { GraphQLError, Kind, type SelectionSetNode, type ValidationRule } from "graphql";

export const depthLimit = (most: number): ValidationRule => (context) => {
  // A fragment that is open already is a cycle: NoFragmentCyclesRule reports it.
  function depth(set: SelectionSetNode | undefined, open: readonly string[]): number {
    const depths = (set?.selections ?? []).map((selection) => {
      switch (selection.kind) {
        case Kind.FIELD:
          return 1 + depth(selection.selectionSet, open);
        case Kind.INLINE_FRAGMENT:
          return depth(selection.selectionSet, open);
        case Kind.FRAGMENT_SPREAD: {
          const name = selection.name.value;
          if (open.includes(name)) return 0;
          return depth(context.getFragment(name)?.selectionSet, [...open, name]);
        }
      }
    });
    return Math.max(0, ...depths);
  }
  return {
    OperationDefinition(node) {
      const found = depth(node.selectionSet, []);
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
// snippet:prints []
// snippet:prints [ '4 levels: at most 3 are allowed' ]
// snippet:prints [ '4 levels: at most 3 are allowed' ]
// snippet:prints [ 'Cannot spread fragment "f" within itself.' ]
