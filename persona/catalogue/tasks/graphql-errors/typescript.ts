// snippet:doc https://www.graphql-js.org/docs/graphql-errors/ Understanding GraphQL errors
// snippet:about GraphQL
import { GraphQLError, type ExecutionResult } from "graphql";

export const notFound = (what: string) =>
  new GraphQLError(`${what} does not exist`, { extensions: { code: "NOT_FOUND" } });

/** What may leave the server: faults of the request, errors with a code, and of others only where they happened. */
export function forClients(result: ExecutionResult, log: (error: unknown) => void): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => {
    if (!error.path || error.extensions["code"]) return error; // without a path no resolver ran
    log(error.originalError ?? error);
    return new GraphQLError("Something went wrong on our side", {
      nodes: error.nodes ?? null,
      path: error.path ?? null,
      extensions: { code: "INTERNAL" },
    });
  });
  return { ...result, errors };
}
// snippet:check
import { buildSchema, graphql } from "graphql";
const schema = buildSchema("type Query { name: String!, order(id: ID!): String, stock: Int, size: Int }");
const rootValue = {
  name: "shop",
  order: ({ id }: { id: string }) => { throw notFound(`order ${id}`); },
  stock: () => { throw new Error("password=secret at 10.0.0.7"); },
  size: "a secret, and no number",
};
const logged: string[] = [];
const result = await graphql({ schema, rootValue, source: "{ name order(id: 7) stock size }" });
const { data, errors } = forClients(result, (error) => logged.push((error as Error).message));
console.log(JSON.stringify(data));
for (const error of errors!) console.log(error.path?.join("."), error.message, error.extensions["code"]);
console.log(logged.join());
console.log(forClients(await graphql({ schema, source: "{ nam }" }), console.log).errors![0]!.message);
// snippet:prints {"name":"shop","order":null,"stock":null,"size":null}
// snippet:prints order order 7 does not exist NOT_FOUND
// snippet:prints stock Something went wrong on our side INTERNAL
// snippet:prints size Something went wrong on our side INTERNAL
// snippet:prints password=secret at 10.0.0.7,Int cannot represent non-integer value: "a secret, and no number"
// snippet:prints Cannot query field "nam" on type "Query". Did you mean "name"?
