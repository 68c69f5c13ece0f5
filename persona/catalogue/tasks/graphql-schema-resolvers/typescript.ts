// snippet:doc https://www.graphql-js.org/docs/ GraphQL.js
// snippet:into Save it as an .mts file in a project with GraphQL.js: npm install graphql
// snippet:about GraphQL
import { buildSchema, graphql } from "graphql";

const schema = buildSchema(`
  type Query { book(id: ID!): Book }
  type Book { title: String!, reviews(first: Int! = 3): [Review!]! }
  type Review { stars: Int! }
`);

const book = (id: string, title: string) => ({
  title,
  // Runs only when the field is asked for.
  async reviews({ first }: { first: number }) {
    return (await reviewsOf(id)).slice(0, Math.max(0, first));
  },
});

const rootValue = {
  book: ({ id }: { id: string }) => (id === "1" ? book(id, "Emma") : null),
};

export const ask = (source: string, variableValues: Record<string, unknown>) =>
  graphql({ schema, rootValue, source, variableValues });

async function reviewsOf(_id: string): Promise<{ stars: number }[]> {
  return [{ stars: 5 }, { stars: 4 }]; // from a database
}
// snippet:usage
const query = "query ($id: ID!) { book(id: $id) { title reviews(first: 1) { stars } } }";
console.log(JSON.stringify(await ask(query, { id: "1" })));
console.log(JSON.stringify(await ask(query, { id: "2" })));
console.log(JSON.stringify((await ask("{ book(id: 1) { reviews(first: -1) { stars } } }", {})).data));
console.log((await ask("{ book(id: 1) { titel } }", {})).errors?.[0]?.message);
// snippet:prints {"data":{"book":{"title":"Emma","reviews":[{"stars":5}]}}}
// snippet:prints {"data":{"book":null}}
// snippet:prints {"book":{"reviews":[]}}
// snippet:prints Cannot query field "titel" on type "Book". Did you mean "title"?
