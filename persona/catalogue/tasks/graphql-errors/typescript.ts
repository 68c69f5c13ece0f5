// snippet:doc https://www.graphql-js.org/docs/graphql-errors/ Understanding GraphQL errors
// snippet:about GraphQL
import { GraphQLError, type ExecutionResult } from "graphql";

export const notFound = (what: string) =>
  new GraphQLError(`${what} does not exist`, { extensions: { code: "NOT_FOUND" } });

/** What leaves the server: errors of the whole query, errors made on purpose, and of others only the place. */
export function forClients(result: ExecutionResult, log: (error: unknown) => void): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => {
    // A database's error may have a code as well: only those count that were made here, as a GraphQLError.
    // GraphQL.js 17 prefers error.cause, which 16 lacks.
    const onPurpose = error.originalError instanceof GraphQLError && error.extensions["code"] !== undefined;
    if (!error.path || onPurpose) return error; // no path: no resolver ran
    log(error.originalError ?? error);
    return new GraphQLError("Something went wrong here", {
      nodes: error.nodes ?? null,
      path: error.path ?? null,
      extensions: { code: "INTERNAL" },
    });
  });
  return { ...result, errors };
}
// snippet:check
import { buildSchema, graphql } from "graphql";
const schema = buildSchema("type Query { name: String!, order(id: ID!): String, stock: Int, size: Int, rows: Int }");
const rootValue = {
  name: "shop",
  order: ({ id }: { id: string }) => { throw notFound(`order ${id}`); },
  stock: () => { throw new Error("password=secret at 10.0.0.7"); },
  size: "a secret, and no number",
  rows: () => { throw Object.assign(new Error("at 10.0.0.8"), { extensions: { code: "ECONNREFUSED" } }); },
};
const logged: string[] = [];
const result = await graphql({ schema, rootValue, source: "{ name order(id: 7) stock size rows }" });
const { data, errors } = forClients(result, (error) => logged.push((error as Error).message));
console.log(JSON.stringify(data));
for (const error of errors!) console.log(error.path?.join("."), error.message, error.extensions["code"]);
console.log(logged.join());
console.log(forClients(await graphql({ schema, source: "{ nam }" }), console.log).errors![0]!.message);
// snippet:prints {"name":"shop","order":null,"stock":null,"size":null,"rows":null}
// snippet:prints order order 7 does not exist NOT_FOUND
// snippet:prints stock Something went wrong here INTERNAL
// snippet:prints size Something went wrong here INTERNAL
// snippet:prints rows Something went wrong here INTERNAL
// snippet:prints password=secret at 10.0.0.7,Int cannot represent non-integer value: "a secret, and no number",at 10.0.0.8
// snippet:prints Cannot query field "nam" on type "Query". Did you mean "name"?
