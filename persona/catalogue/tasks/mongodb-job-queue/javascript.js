// snippet:doc https://www.mongodb.com/docs/drivers/node/current/crud/compound-operations/ Compound operations
// snippet:about MongoDB
// snippet:needs mongodb 6
// snippet:check
import { database } from "./server.mjs";
// snippet:prints mail, report, nothing
// snippet:prints after the claim ran out: mail, attempt 2
// snippet:prints late worker: false, owner: true
// snippet:prints given up: 1
// snippet:end
import { randomUUID } from "node:crypto";

const CLAIM_MS = 60_000, ATTEMPTS = 5;

// Needs the index { done: 1, dueAt: 1, _id: 1 }.
export const add = (jobs, kind, data) =>
  jobs.insertOne({ kind, data, done: false, attempts: 0, dueAt: new Date(), owner: null });

export const claim = (jobs, now = new Date()) =>
  jobs.findOneAndUpdate(
    { done: false, dueAt: { $lte: now }, attempts: { $lt: ATTEMPTS } },
    { $set: { owner: randomUUID(), dueAt: new Date(now.getTime() + CLAIM_MS) }, $inc: { attempts: 1 } },
    { sort: { dueAt: 1, _id: 1 }, returnDocument: "after" },
  ); // null: nothing is due

export async function finish(jobs, job) {
  const { matchedCount } = await jobs.updateOne({ _id: job._id, owner: job.owner }, { $set: { done: true } });
  return matchedCount === 1; // false: somebody else has claimed it meanwhile
}

export const givenUp = (jobs, now = new Date()) =>
  jobs.find({ done: false, attempts: { $gte: ATTEMPTS }, dueAt: { $lte: now } }).toArray();
// snippet:check
const jobs = (await database()).collection("jobs");
await add(jobs, "mail", {});
await add(jobs, "report", {});
const claims = await Promise.all([claim(jobs), claim(jobs), claim(jobs)]);
console.log(claims.map((job) => job?.kind ?? "nothing").sort((a, b) => "mrn".indexOf(a[0]) - "mrn".indexOf(b[0])).join(", "));
const [late] = claims.filter((job) => job?.kind === "mail");
await finish(jobs, claims.find((job) => job?.kind === "report"));
const later = (n) => new Date(Date.now() + n * 61_000);
const again = await claim(jobs, later(1));
console.log(`after the claim ran out: ${again.kind}, attempt ${again.attempts}`);
console.log(`late worker: ${await finish(jobs, late)}, owner: ${await finish(jobs, again)}`);
await add(jobs, "poison", {});
let tries = 0;
while (await claim(jobs, later(1 + tries))) tries++;
console.log(`given up: ${(await givenUp(jobs, later(9))).length}`);
if (tries !== 5) throw new Error(`${tries} tries`);
process.exit();
