// snippet:doc https://relay.dev/graphql/connections.htm GraphQL cursor connections
// snippet:about GraphQL
import { GraphQLError } from "graphql";

const encode = (id: number) => Buffer.from(`order:${id}`).toString("base64url");
const badInput = (text: string) => new GraphQLError(text, { extensions: { code: "BAD_USER_INPUT" } });
const decode = (cursor: string) => {
  const id = /^order:(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (!id) throw badInput("after: not a cursor of this list");
  return Number(id);
};

interface Order { id: number; cents: number }
/** At most `limit` rows with a larger id, in the order of their ids. */
type RowsAfter = (id: number, limit: number) => Promise<Order[]>;

export async function orders(rowsAfter: RowsAfter, { first, after }: { first: number; after?: string | null }) {
  if (first < 1 || first > 100) throw badInput("first: from 1 to 100");
  const rows = await rowsAfter(after == null ? 0 : decode(after), first + 1); // one more tells whether there is more
  const edges = rows.slice(0, first).map((node) => ({ node, cursor: encode(node.id) }));
  const pageInfo = {
    hasNextPage: rows.length > first,
    hasPreviousPage: false, // the specification allows this where only `first` and `after` are known
    startCursor: edges.at(0)?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  };
  return { edges, pageInfo };
}
// snippet:check
import { buildSchema, graphql } from "graphql";
const schema = buildSchema(`
  type Query { orders(first: Int!, after: String): Orders! }
  type Orders { edges: [Edge!]!, pageInfo: PageInfo! }
  type Edge { node: Order!, cursor: String! }
  type Order { id: ID!, cents: Int! }
  type PageInfo { hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String }
`);
const table = [3, 5, 8].map((id) => ({ id, cents: id * 100 }));
const rowsAfter: RowsAfter = async (id, limit) => table.filter((row) => row.id > id).slice(0, limit);
const rootValue = { orders: (args: { first: number; after?: string }) => orders(rowsAfter, args) };
const source = "query ($first: Int!, $after: String) { orders(first: $first, after: $after) { edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }";
const page = async (first: number, after?: string) => {
  const result = await graphql({ schema, rootValue, source, variableValues: { first, after } });
  console.log(result.errors?.[0]?.message ?? JSON.stringify(result.data!["orders"]));
  return (result.data as { orders: { pageInfo: { endCursor: string } } } | null)?.orders.pageInfo.endCursor;
};
await page(2, await page(2));
await page(2, "x");
await page(2, "");
await page(0);
// snippet:prints {"edges":[{"node":{"id":"3"}},{"node":{"id":"5"}}],"pageInfo":{"hasNextPage":true,"hasPreviousPage":false,"startCursor":"b3JkZXI6Mw","endCursor":"b3JkZXI6NQ"}}
// snippet:prints {"edges":[{"node":{"id":"8"}}],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false,"startCursor":"b3JkZXI6OA","endCursor":"b3JkZXI6OA"}}
// snippet:prints after: not a cursor of this list
// snippet:prints after: not a cursor of this list
// snippet:prints first: from 1 to 100
