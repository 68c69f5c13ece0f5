// snippet:doc https://www.typescriptlang.org/docs/handbook/2/indexed-access-types.html Indexed access types
type Result<T> = { ok: true; value: T } | { ok: false; problem: string };
type Rule<T> = (input: string) => Result<T>;
type Parsed<R> = { [K in keyof R]: R[K] extends Rule<infer T> ? T : never };
type Problems<R> = Partial<Record<keyof R, string>>;

const ok = <T>(value: T): Result<T> => ({ ok: true, value });
const fail = (problem: string): Result<never> => ({ ok: false, problem });

export function parseForm<R extends Record<string, Rule<unknown>>>(
  rules: R,
  form: URLSearchParams | FormData,
): { values: Parsed<R> } | { problems: Problems<R> } {
  const values: Partial<Record<keyof R, unknown>> = {};
  const problems: Problems<R> = {};
  for (const key of Object.keys(rules) as (keyof R & string)[]) {
    const input = form.get(key);
    const result = rules[key]!(typeof input === "string" ? input.trim() : ""); // missing, or a file
    if (result.ok) values[key] = result.value;
    else problems[key] = result.problem;
  }
  return Object.keys(problems).length > 0 ? { problems } : { values: values as Parsed<R> };
}

const booking = {
  name: (text: string) => (text ? ok(text) : fail("Who is coming?")),
  day: (text: string) => {
    const day = new Date(`${text}T00:00Z`); // 30 February becomes a day in March: compare
    const exists = /^\d{4}-/.test(text) && !Number.isNaN(+day) && day.toISOString().slice(0, 10) === text;
    return exists ? ok(day) : fail("Pick a date.");
  },
  seats: (text: string) => (/^[1-8]$/.test(text) ? ok(Number(text)) : fail("One to eight seats.")),
};
// snippet:usage
// snippet:prints Ana 2025 2
const good = parseForm(booking, new URLSearchParams("name=Ana&day=2025-04-01&seats=2"));
if ("values" in good) {
  const seats: number = good.values.seats;
  console.log(good.values.name, good.values.day.getUTCFullYear(), seats);
}
// snippet:check
// snippet:prints {
// snippet:prints   problems: {
// snippet:prints     name: 'Who is coming?',
// snippet:prints     day: 'Pick a date.',
// snippet:prints     seats: 'One to eight seats.'
// snippet:prints   }
// snippet:prints }
// snippet:prints { problems: { day: 'Pick a date.' } }
// snippet:prints { problems: { name: 'Who is coming?' } }
console.log(parseForm(booking, new URLSearchParams("name= &day=2025-02-30&seats=9")));
console.log(parseForm(booking, new URLSearchParams("name=Ana&day=%2B012025-01&seats=2")));
const upload = new FormData();
upload.set("name", new Blob(["Ana"]));
console.log(parseForm({ name: booking.name }, upload));
