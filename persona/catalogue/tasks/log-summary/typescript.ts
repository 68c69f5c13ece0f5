// snippet:description Count the requests and the server errors of each hour in an access log. The hours are those
// snippet:description that the log writes, without their offset from UTC. Lines in another format are passed over.
// snippet:doc https://nodejs.org/api/fs.html#filehandlereadlinesoptions filehandle.readLines
interface Hour {
  requests: number;
  errors: number;
}
// 203.0.113.7 - - [05/Mar/2025:10:17:31 +0000] "GET /cart HTTP/1.1" 502 12 (a quote in the request is written \")
const LINE = /\[(?<hour>[^:[\]]+:\d{2}):[^[\]]+\] "(?:[^"\\]|\\.)*" (?<status>\d{3}) /;

/** Of the lines of a file, for example: `(await open(path)).readLines()`, from node:fs/promises. */
export async function errorsPerHour(lines: AsyncIterable<string>): Promise<Map<string, Hour>> {
  const hours = new Map<string, Hour>();
  for await (const line of lines) {
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
const { mkdtemp, open, rm, writeFile } = await import("node:fs/promises");
const folder = await mkdtemp("/tmp/log-");
const entries = ["09:59:00|200", "10:00:00|502", "10:59:59|200"].map((entry) => {
  const [time, status] = entry.split("|");
  return `10.0.0.1 - - [05/Mar/2025:${time} +0000] "GET /\\"x HTTP/1.1" ${status} 12\n`;
});
await writeFile(`${folder}/log`, [...entries, "garbage\n"].join(""));
for (const [hour, counts] of await errorsPerHour((await open(`${folder}/log`)).readLines())) console.log(hour, counts);
await rm(folder, { recursive: true });
// snippet:prints 05/Mar/2025:09 { requests: 1, errors: 0 }
// snippet:prints 05/Mar/2025:10 { requests: 2, errors: 1 }
