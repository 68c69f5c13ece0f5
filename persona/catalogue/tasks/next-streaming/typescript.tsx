// snippet:doc https://nextjs.org/docs/app/getting-started/fetching-data#streaming Streaming
// snippet:about Next.js
// snippet:prints first: Orders of March Working it out…
// snippet:prints later: 12 orders, 3 returned
// snippet:prints side by side: true
// snippet:needs Next.js 15
// app/report/page.tsx
import { connection } from "next/server";
import { Suspense } from "react";
import { countOrders, countReturns } from "@/lib/orders";

export default function Page() {
  return (
    <main>
      <h1>Orders of March</h1>
      <Suspense fallback={<p role="status">Working it out…</p>}>
        <Figures />
      </Suspense>
    </main>
  );
}

async function Figures() {
  await connection(); // for each visit, not once when the site is built
  const [orders, returns] = await Promise.all([countOrders(), countReturns()]);
  return <p>{`${orders} orders, ${returns} returned`}</p>;
}

// lib/orders.ts
const slowly = <T,>(value: T) => new Promise<T>((done) => setTimeout(() => done(value), 500)); // your queries
export const countOrders = () => slowly(12);
export const countReturns = () => slowly(3);
// snippet:check
// check.mjs
import { ask, text } from "./server.mjs";
await (await ask("/report")).text(); // warm
const started = performance.now();
const response = await ask("/report");
let all = "", first = "";
for await (const chunk of response.body) {
  all += Buffer.from(chunk).toString();
  if (performance.now() - started < 400) first = all;
}
const took = performance.now() - started;
console.log(`first: ${await text(new Response(first))}`);
console.log(`later: ${await text(new Response(/<p>\d+ orders[^]*?<\/p>/.exec(all.slice(first.length))?.[0] ?? ""))}`);
console.log(`side by side: ${took < 950}`);
process.exit();
