// snippet:doc https://www.graphql-js.org/docs/custom-scalars/ Custom scalars
// snippet:about GraphQL
import { GraphQLError, GraphQLScalarType, Kind, print } from "graphql";

/** Text such as "2026-02-28", checked. */
export type Day = string & { readonly day: unique symbol };

function toDay(value: unknown): Day {
  const time = typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : NaN;
  // The 30th of February is parsed as a day in March by some engines: write it back and compare.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value) {
    throw new GraphQLError(`${JSON.stringify(value)} is no day: expected one such as "2026-02-28"`);
  }
  return value as Day;
}

// GraphQL.js 17 deprecates these names: coerceOutputValue, coerceInputValue and coerceInputLiteral follow them.
export const DayScalar = new GraphQLScalarType<Day, string>({
  name: "Day",
  description: "A day of the calendar, without time and zone.",
  serialize: toDay, // what a resolver returns
  parseValue: toDay, // a variable
  parseLiteral: (node) => toDay(node.kind === Kind.STRING ? node.value : print(node)), // written into the query
});
// snippet:check
import { graphql, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from "graphql";
const query = new GraphQLObjectType({
  name: "Query",
  fields: {
    next: { type: DayScalar, args: { day: { type: new GraphQLNonNull(DayScalar) } }, resolve: (_, { day }: { day: Day }) => day },
    broken: { type: DayScalar, resolve: () => "soon" },
    text: { type: GraphQLString },
  },
});
const schema = new GraphQLSchema({ query });
const show = async (source: string, day?: unknown) => {
  const { data, errors } = await graphql({ schema, source, variableValues: { day } });
  console.log(errors?.map((error) => error.message).join() ?? JSON.stringify(data));
};
await show('{ next(day: "2028-02-29") }');
await show('{ next(day: "2026-02-30") }');
await show("query ($day: Day!) { next(day: $day) }", "2026-2-1");
await show("{ next(day: 20260228) }");
await show("{ broken }");
// snippet:prints {"next":"2028-02-29"}
// snippet:prints "2026-02-30" is no day: expected one such as "2026-02-28"
// snippet:prints Variable "$day" got invalid value "2026-2-1"; "2026-2-1" is no day: expected one such as "2026-02-28"
// snippet:prints "20260228" is no day: expected one such as "2026-02-28"
// snippet:prints "soon" is no day: expected one such as "2026-02-28"
