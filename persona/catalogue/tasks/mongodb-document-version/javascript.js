// snippet:doc https://www.mongodb.com/docs/drivers/node/current/crud/update/modify/ Modify documents
// snippet:about MongoDB
// snippet:needs mongodb 6
// snippet:check
import { database } from "./server.mjs";
// snippet:prints saved, version 2
// snippet:prints Conflict: version 1 was changed to 2 meanwhile, now: Ada's text
// snippet:prints NotFound: no page 9
// snippet:end
class Conflict extends Error {
  name = "Conflict";
  constructor(seen, current) {
    super(`version ${seen} was changed to ${current.version} meanwhile`);
    this.current = current;
  }
}

class NotFound extends Error {
  name = "NotFound";
}

// id and version are plain values, of the types that were read: an object would be taken for an operator.
export async function save(pages, id, version, text) {
  const saved = await pages.findOneAndUpdate(
    { _id: id, version },
    { $set: { text, savedAt: new Date() }, $inc: { version: 1 } },
    { returnDocument: "after" },
  );
  if (saved) return saved;
  const current = await pages.findOne({ _id: id });
  throw current ? new Conflict(version, current) : new NotFound(`no page ${id}`);
}
// snippet:check
const pages = (await database()).collection("pages");
await pages.insertOne({ _id: 1, version: 1, text: "" });
console.log(`saved, version ${(await save(pages, 1, 1, "Ada's text")).version}`);
await save(pages, 1, 1, "Eve's text").catch((error) => console.log(`${error}, now: ${error.current.text}`));
await save(pages, 9, 1, "").catch((error) => console.log(String(error)));
process.exit();
