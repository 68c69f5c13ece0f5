// snippet:doc https://www.graphql-js.org/docs/authentication-and-express-middleware/ Authentication
// snippet:about GraphQL
import { buildSchema, graphql, GraphQLError } from "graphql";

interface Context { readonly user: { id: string; isAdmin: boolean } | null }

class Person {
  constructor(readonly id: string, readonly name: string, private readonly mail: string) {}
  // The arguments come first; the context is the second, also of a field without any.
  email(_: unknown, { user }: Context): string {
    if (user?.id !== this.id && !user?.isAdmin) {
      throw new GraphQLError("only for the person", { extensions: { code: user ? "FORBIDDEN" : "UNAUTHENTICATED" } });
    }
    return this.mail;
  }
}

const schema = buildSchema(`
  type Query { me: Person, team: [Person!]! }
  type Person { name: String!, email: String }
`);
const team = [new Person("1", "Ada", "ada@example.com"), new Person("2", "Bo", "bo@example.com")];
const rootValue = {
  team: () => team,
  me: (_: unknown, { user }: Context) => team.find(({ id }) => id === user?.id) ?? null,
};

export const ask = (source: string, contextValue: Context) => graphql({ schema, rootValue, source, contextValue });
// snippet:check
for (const user of [{ id: "1", isAdmin: false }, { id: "9", isAdmin: true }, null]) {
  const { data, errors } = await ask("{ me { email } team { name email } }", { user });
  console.log(JSON.stringify(data), errors?.map((error) => `${error.path?.join(".")} ${error.extensions["code"]}`).join());
}
// snippet:prints {"me":{"email":"ada@example.com"},"team":[{"name":"Ada","email":"ada@example.com"},{"name":"Bo","email":null}]} team.1.email FORBIDDEN
// snippet:prints {"me":null,"team":[{"name":"Ada","email":"ada@example.com"},{"name":"Bo","email":"bo@example.com"}]} undefined
// snippet:prints {"me":null,"team":[{"name":"Ada","email":null},{"name":"Bo","email":null}]} team.0.email UNAUTHENTICATED,team.1.email UNAUTHENTICATED
