// snippet:doc https://www.mongodb.com/docs/drivers/node/current/crud/bulk-write/ Bulk operations
// snippet:about MongoDB
// snippet:check
import { database } from "./server.mjs";
// snippet:prints { created: 3, changed: 0, failed: [] }
// snippet:prints { created: 0, changed: 0, failed: [] }
// snippet:prints { created: 1, changed: 1, failed: [ 2 ] }
// snippet:end
import { MongoBulkWriteError } from "mongodb";

// The sku of each row is a text: an object would be taken for an operator, and a missing one for null.
export async function importProducts(products, rows, size = 1000) {
  const result = { created: 0, changed: 0, failed: [] };
  for (let start = 0; start < rows.length; start += size) {
    const operations = rows.slice(start, start + size).map(({ sku, ...fields }) => ({
      updateOne: { filter: { sku }, update: { $set: fields }, upsert: true }, // unique index: sku
    }));
    let written;
    try {
      written = await products.bulkWrite(operations, { ordered: false });
    } catch (error) {
      const bad = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
      if (bad.length === 0) throw error; // it is not about single rows
      written = error.result;
      result.failed.push(...bad.map(({ index }) => start + index + 1)); // from 1
    }
    result.created += written.upsertedCount;
    result.changed += written.modifiedCount;
  }
  return result;
}
// snippet:check
const products = (await database()).collection("products");
await products.createIndex({ sku: 1 }, { unique: true });
await products.createIndex({ barcode: 1 }, { unique: true });
const rows = ["A", "B", "C"].map((sku, i) => ({ sku, barcode: 100 + i, cents: 450 }));
console.log(await importProducts(products, rows, 2));
console.log(await importProducts(products, rows, 2));
console.log(await importProducts(products, [{ sku: "A", barcode: 100, cents: 500 }, { sku: "X", barcode: 101 }, { sku: "D", barcode: 104 }], 2));
process.exit();
