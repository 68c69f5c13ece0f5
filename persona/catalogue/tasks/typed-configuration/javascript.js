// snippet:doc https://nodejs.org/api/process.html#processenv process.env
const booleans = new Map([["true", true], ["1", true], ["false", false], ["0", false]]);
const readers = {
  string: (text) => text,
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined),
  boolean: (text) => booleans.get(text.toLowerCase()),
  url: (text) => (URL.canParse(text) ? new URL(text) : undefined),
};

/** Read all settings at start and report everything that is wrong at once. */
export function loadConfig(spec, env = process.env) {
  const problems = [];
  const config = {};
  for (const [name, { type, default: fallback }] of Object.entries(spec)) {
    const text = env[name] ?? fallback;
    const value = text === undefined ? undefined : readers[type](String(text));
    if (text === undefined) problems.push(`${name} is not set`);
    // The value itself may be a secret: name only the variable.
    else if (value === undefined) problems.push(`${name} is not of type ${type}`);
    config[name] = value;
  }
  if (problems.length > 0) throw new Error(`configuration: ${problems.join("; ")}`);
  return Object.freeze(config);
}
// snippet:check
const spec = { PORT: { type: "integer", default: 8080 }, DATABASE_URL: { type: "url" }, DEBUG: { type: "boolean", default: false } };
console.log(loadConfig(spec, { DATABASE_URL: "postgres://db.example.com/app", DEBUG: "1" }).DEBUG);
try {
  loadConfig(spec, { PORT: "http", DEBUG: "constructor" });
} catch (error) {
  console.log(error.message);
}
// snippet:prints true
// snippet:prints configuration: PORT is not of type integer; DATABASE_URL is not set; DEBUG is not of type boolean
