// snippet:doc https://nextjs.org/docs/app/api-reference/directives/use-cache use cache
// snippet:about Next.js
// snippet:prints 450 450
// snippet:prints wrong secret: 401, still 450
// snippet:prints no secret: 401, still 450
// snippet:prints right secret: 204, now 480
// snippet:needs Next.js 16
// snippet:into Save each file under the name in its first comment, in a Next.js application with SHOP, an address, and WEBHOOK_SECRET in its environment.
// next.config.mjs
export default { cacheComponents: true };

// lib/price.ts
import { cacheLife, cacheTag } from "next/cache";

// product: a short id of letters and digits, which an address does not encode
export async function priceOf(product: string): Promise<number> {
  "use cache";
  cacheLife("hours");
  cacheTag(`price-${product}`);
  const url = `${process.env.SHOP}/prices/${encodeURIComponent(product)}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  if (!response.ok) throw new Error(`the shop answers ${response.status}`); // is not cached
  return (await response.json()).cents;
}

// app/api/price-changed/[product]/route.ts
import { createHash, timingSafeEqual } from "node:crypto";
import { revalidateTag } from "next/cache";
const digest = (text: string) => createHash("sha256").update(text).digest();

export async function POST(request: Request, { params }: { params: Promise<{ product: string }> }) {
  const secret = process.env.WEBHOOK_SECRET;
  const given = request.headers.get("authorization") ?? "";
  const known = secret && timingSafeEqual(digest(given), digest(`Bearer ${secret}`));
  if (!known) return new Response(null, { status: 401 });
  revalidateTag(`price-${(await params).product}`, { expire: 0 });
  return new Response(null, { status: 204 });
}

// snippet:measures who does not know the secret, or finds none set, is refused
// snippet:check
// app/price/route.ts
import { connection } from "next/server";
import { priceOf } from "@/lib/price";
export async function GET() {
  await connection();
  return new Response(String(await priceOf("tea")));
}
// check.mjs
import { createServer } from "node:http";
let cents = 450;
const shop = createServer((_, response) => response.end(JSON.stringify({ cents })));
await new Promise((ready) => shop.listen(0, "127.0.0.1", ready));
process.env.SHOP = `http://127.0.0.1:${shop.address().port}`;
process.env.WEBHOOK_SECRET = "s3cret";
const { ask } = await import("./server.mjs");
const price = async () => (await ask("/price")).text();
const before = await price();
cents = 480;
console.log(before, await price());
for (const [name, authorization, then] of [["wrong", "Bearer wrong", "still"], ["no", "", "still"], ["right", "Bearer s3cret", "now"]]) {
  const { status } = await ask("/api/price-changed/tea", { method: "POST", headers: { authorization } });
  console.log(`${name} secret: ${status}, ${then} ${await price()}`);
}
delete process.env.WEBHOOK_SECRET;
for (const authorization of ["Bearer undefined", "Bearer ", ""]) {
  const { status } = await ask("/api/price-changed/tea", { method: "POST", headers: { authorization } });
  if (status !== 401) throw new Error(`without a secret "${authorization}" is good enough`);
}
process.exit();
