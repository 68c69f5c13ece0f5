// snippet:doc https://www.typescriptlang.org/docs/handbook/utility-types.html Utility types
const integer = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new Error("expected a whole number");
  return Number(text);
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
  const entries = Object.entries(schema).map(([name, [read, fallback]]) => {
    const text = env[name] ?? fallback;
    if (text === undefined) throw new Error(`${name} is not set`);
    return [name, read(text)] as const;
  });
  return Object.fromEntries(entries) as Config;
}
// snippet:check
const config = loadConfig({ DATABASE_URL: "postgres://db.example.com/app" });
const level: "debug" | "info" | "error" = config.LOG_LEVEL;
console.log(config.PORT + 1, config.DATABASE_URL.hostname, level);
for (const env of [{}, { DATABASE_URL: "postgres://x/y", LOG_LEVEL: "loud" }]) {
  try {
    loadConfig(env);
  } catch (error) {
    console.log((error as Error).message);
  }
}
// snippet:prints 8081 db.example.com info
// snippet:prints DATABASE_URL is not set
// snippet:prints expected one of debug, info, error
