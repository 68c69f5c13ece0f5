// snippet:doc https://www.typescriptlang.org/docs/handbook/utility-types.html Utility types
// snippet:needs TypeScript 5.0
const integer = (text: string): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Error("expected a whole number");
};
const url = (text: string): URL => new URL(text);
const oneOf = <const T extends readonly string[]>(...allowed: T) => (text: string): T[number] => {
  if (!allowed.includes(text)) throw new Error(`expected one of ${allowed.join(", ")}`);
  return text;
};

const schema = {
  PORT: [integer, "8080"],
  DATABASE_URL: [url],
  LOG_LEVEL: [oneOf("debug", "info", "error"), "info"],
} satisfies Record<string, [read: (text: string) => unknown, fallback?: string]>;

type Config = { readonly [K in keyof typeof schema]: ReturnType<(typeof schema)[K][0]> };

export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries(schema).map(([name, [read, fallback]]) => {
    try {
      return [name, read(env[name] ?? fallback ?? "")];
    } catch (error: unknown) {
      return [name, problems.push(`${name}: ${(error as Error).message}`)];
    }
  });
  if (problems.length > 0) throw new Error(problems.join("; ")); // all of them, at once
  return Object.fromEntries(entries) as Config;
}
// snippet:usage
const config = loadConfig({ DATABASE_URL: "postgres://db.example.com/app" });
const level: "debug" | "info" | "error" = config.LOG_LEVEL;
console.log(config.PORT + 1, config.DATABASE_URL.hostname, level);
try {
  loadConfig({ PORT: "-1", LOG_LEVEL: "loud" });
} catch (error) {
  console.log((error as Error).message);
}
// snippet:prints 8081 db.example.com info
// snippet:prints PORT: expected a whole number; DATABASE_URL: Invalid URL; LOG_LEVEL: expected one of debug, info, error
