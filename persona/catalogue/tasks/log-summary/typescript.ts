// snippet:doc https://nodejs.org/api/readline.html#example-read-file-stream-line-by-line Read a file line by line
import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";

interface Hour {
  requests: number;
  errors: number;
}
// 203.0.113.7 - - [05/Mar/2025:10:17:31 +0000] "GET /cart HTTP/1.1" 502 12
const LINE = /\[(?<hour>[^:\]]+:\d{2}):[^\]]+\] "(?<request>[^"]*)" (?<status>\d{3}) /;

export async function errorsPerHour(input: Readable): Promise<Map<string, Hour>> {
  const hours = new Map<string, Hour>();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const { hour, status } = LINE.exec(line)?.groups ?? {};
    if (!hour || !status) continue; // another format: not ours to count
    const counts = hours.get(hour) ?? { requests: 0, errors: 0 };
    counts.requests++;
    if (status.startsWith("5")) counts.errors++;
    hours.set(hour, counts);
  }
  return hours;
}
// snippet:check
const { Readable: Source } = await import("node:stream");
const entries = ["09:59:00|200", "10:00:00|502", "10:59:59|200"].map((entry) => {
  const [time, status] = entry.split("|");
  return `10.0.0.1 - - [05/Mar/2025:${time} +0000] "GET / HTTP/1.1" ${status} 12\n`;
});
for (const [hour, counts] of await errorsPerHour(Source.from([...entries, "garbage\n"]))) console.log(hour, counts);
// snippet:prints 05/Mar/2025:09 { requests: 1, errors: 0 }
// snippet:prints 05/Mar/2025:10 { requests: 2, errors: 1 }
