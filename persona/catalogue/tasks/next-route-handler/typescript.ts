// snippet:doc https://nextjs.org/docs/app/getting-started/route-handlers Route handlers
// snippet:about Next.js
// snippet:prints 200 {"id":"7","name":"Tea"}
// snippet:prints 404 {"error":"no product 8"}
// snippet:prints 200 {"id":"7","name":"Cup"}
// snippet:prints 400 {"error":"expected JSON"}
// snippet:prints 400 {"error":"expected {\"name\": \"1 to 80 characters\"}"}
// snippet:prints 405
// snippet:needs Next.js 15
// app/api/products/[id]/route.ts
import { products } from "@/lib/products";

type Context = { params: Promise<{ id: string }> };
const error = (status: number, message: string) => Response.json({ error: message }, { status });

export async function GET(_request: Request, { params }: Context) {
  const { id } = await params;
  const name = products.get(id);
  return name === undefined ? error(404, `no product ${id}`) : Response.json({ id, name });
}

export async function PUT(request: Request, { params }: Context) {
  const { id } = await params;
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    return error(400, "expected JSON");
  }
  const name = typeof body === "object" && body !== null && "name" in body ? body.name : undefined;
  if (typeof name !== "string" || name === "" || [...name].length > 80)
    return error(400, `expected {"name": "1 to 80 characters"}`);
  const status = products.has(id) ? 200 : 201; // 201: created
  products.set(id, name);
  return Response.json({ id, name }, { status });
}

// lib/products.ts
export const products = new Map([["7", "Tea"]]); // your database
// snippet:check
// check.mjs
import { ask } from "./server.mjs";
const put = (body) => ask("/api/products/7", { method: "PUT", body });
for (const response of [await ask("/api/products/7"), await ask("/api/products/8"), await put('{"name": "Cup"}'), await put("name=Cup"), await put("null")])
  console.log(response.status, await response.text());
console.log((await ask("/api/products/7", { method: "DELETE" })).status);
process.exit();
