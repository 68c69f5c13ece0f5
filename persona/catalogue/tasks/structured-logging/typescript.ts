// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/JSON/stringify JSON.stringify()
const LEVELS = ["debug", "info", "warn", "error"] as const;
type Level = (typeof LEVELS)[number];
type Fields = Readonly<Record<string, unknown>>; // what JSON can hold
type LogMethod = (message: string, fields?: Fields) => void;

export type Logger = Record<Level, LogMethod> & { with(fields: Fields): Logger };

const REDACTED = /^(authorization|cookie|password|secret|token)$/i;

export function createLogger(threshold: Level, write = console.log, context: Fields = {}): Logger {
  const log = (level: Level): LogMethod => (message, fields = {}) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(threshold)) return;
    const own = { time: new Date().toISOString(), level, message };
    const entry = { ...own, ...context, ...fields, ...own }; // twice: they come first, and no field replaces them
    write(JSON.stringify(entry, (key, value: unknown) => (REDACTED.test(key) ? "***" : value)));
  };
  return {
    debug: log("debug"),
    info: log("info"),
    warn: log("warn"),
    error: log("error"),
    with: (fields) => createLogger(threshold, write, { ...context, ...fields }),
  };
}
// snippet:usage
const out = (line: string) => console.log(line.replace(/"time":"[^"]+",/, ""));
const log = createLogger("info", out).with({ service: "checkout" });
log.debug("not shown");
log.info("signed in", { user: 7, headers: { Authorization: "Bearer x" } });
log.with({ order: 9 }).warn("slow", { ms: 812, level: 5 });
// snippet:prints {"level":"info","message":"signed in","service":"checkout","user":7,"headers":{"Authorization":"***"}}
// snippet:prints {"level":"warn","message":"slow","service":"checkout","order":9,"ms":812}
