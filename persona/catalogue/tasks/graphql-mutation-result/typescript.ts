// snippet:doc https://www.graphql-js.org/docs/mutations-and-input-types/ Mutations and input types
// snippet:about GraphQL
import { buildSchema } from "graphql";

export const schema = buildSchema(`
  type Query { me: Account }
  type Mutation { signUp(input: SignUpInput!): SignUpResult! }
  input SignUpInput { email: String!, name: String! }
  union SignUpResult = Account | SignUpProblems
  type Account { email: String! }
  type SignUpProblems { problems: [Problem!]! }
  type Problem { field: String!, message: String! }
`);

const accounts = new Set<string>();

export function signUp({ input }: { input: { email: string; name: string } }) {
  const email = input.email.trim().toLowerCase();
  const problems: { field: string; message: string }[] = [];
  if (input.name.trim() === "") problems.push({ field: "name", message: "Tell us your name." });
  if (!email.includes("@")) problems.push({ field: "email", message: "An address has an @." });
  else if (accounts.has(email)) problems.push({ field: "email", message: "There is an account already." });
  // __typename tells which member of the union this is.
  if (problems.length > 0) return { __typename: "SignUpProblems", problems };
  accounts.add(email);
  return { __typename: "Account", email };
}
// snippet:check
import { graphql } from "graphql";
const source = `mutation ($input: SignUpInput!) { signUp(input: $input) {
  ... on Account { email }
  ... on SignUpProblems { problems { field message } }
} }`;
for (const input of [{ email: "Ada@example.com", name: "Ada" }, { email: "ada@example.com", name: " " }, { email: "ada", name: "Ada" }]) {
  const result = await graphql({ schema, rootValue: { signUp }, source, variableValues: { input } });
  console.log(JSON.stringify(result.errors ?? result.data!["signUp"]));
}
// snippet:prints {"email":"ada@example.com"}
// snippet:prints {"problems":[{"field":"name","message":"Tell us your name."},{"field":"email","message":"There is an account already."}]}
// snippet:prints {"problems":[{"field":"email","message":"An address has an @."}]}
