// snippet:doc https://www.mongodb.com/docs/drivers/node/current/indexes/ Indexes in the Node.js driver
// snippet:about MongoDB
// snippet:check
import { database } from "./server.mjs";
// snippet:prints { email: 'ada@example.com', name: 'Ada' }
// snippet:prints EmailTaken: ada@example.com is registered already
// snippet:prints TypeError: email: expected a text
// snippet:prints 1
// snippet:measures that an operator in place of a text is rejected
// snippet:end
import { MongoServerError } from "mongodb";

class EmailTaken extends Error {
  name = "EmailTaken";
}

export async function prepare(db) {
  await db.collection("users").createIndex({ email: 1 }, { unique: true }); // does nothing if it is there
}

export async function register(db, { email, name }) {
  if (typeof email !== "string") throw new TypeError("email: expected a text");
  if (typeof name !== "string") throw new TypeError("name: expected a text");
  const user = { email: email.trim().toLowerCase(), name, registeredAt: new Date() };
  try {
    const { insertedId } = await db.collection("users").insertOne(user);
    return { _id: insertedId, ...user };
  } catch (error) {
    if (error instanceof MongoServerError && error.code === 11000) {
      throw new EmailTaken(`${user.email} is registered already`, { cause: error });
    }
    throw error;
  }
}
// snippet:check
const db = await database();
await prepare(db);
const { email, name } = await register(db, { email: " Ada@Example.com", name: "Ada" });
console.log({ email, name });
for (const body of [{ email: "ADA@example.com", name: "Eve" }, { email: { $ne: "" }, name: "Eve" }]) {
  await register(db, body).catch((error) => console.log(String(error)));
}
console.log(await db.collection("users").countDocuments());
process.exit();
