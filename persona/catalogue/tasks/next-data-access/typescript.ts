// snippet:doc https://nextjs.org/docs/app/guides/data-security Data security
// snippet:about Next.js
// snippet:prints nobody: /login
// snippet:prints forged: /login
// snippet:prints ada, her own: 200 {"id":"o1","total":450}
// snippet:prints ada, of bob: 404
// snippet:prints ada, missing: 404
// snippet:needs Next.js 15
// lib/orders.ts
import "server-only";

import { createHash } from "node:crypto";
import { cookies } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { orders, sessions } from "@/lib/database"; // yours: here two maps by their ids

export const currentUser = cache(async () => { // once for all components of a page
  const token = (await cookies()).get("session")?.value ?? "";
  const session = sessions.get(createHash("sha256").update(token).digest("hex")); // the table has no usable token
  if (session === undefined || session.expires < Date.now()) redirect("/login");
  return session.user;
});

export async function orderForCurrentUser(id: string) {
  const user = await currentUser();
  const order = orders.get(id);
  if (order === undefined || order.owner !== user) notFound();
  return { id, total: order.total }; // not the whole row
}

// snippet:measures nobody reads an order without a session, or that of another
// snippet:check
// lib/database.ts
import { createHash } from "node:crypto";
const hash = (token: string) => createHash("sha256").update(token).digest("hex");
export const sessions = new Map([
  [hash("ada-token"), { user: "ada", expires: Date.now() + 60_000 }],
  [hash("old-token"), { user: "ada", expires: Date.now() - 1 }],
]);
export const orders = new Map([["o1", { owner: "ada", total: 450, cost: 99 }], ["o2", { owner: "bob", total: 900, cost: 99 }]]);
// app/orders/[id]/route.ts
import { orderForCurrentUser } from "@/lib/orders";
export async function GET(_: Request, { params }: { params: Promise<{ id: string }> }) {
  return Response.json(await orderForCurrentUser((await params).id));
}
// check.mjs
import { ask } from "./server.mjs";
const show = async (name, id, token) => {
  const response = await ask(`/orders/${id}`, { headers: token ? { cookie: `session=${token}` } : {} });
  const to = response.headers.get("location");
  console.log(`${name}: ${to ? new URL(to, "http://x").pathname : `${response.status} ${response.ok ? await response.text() : ""}`.trim()}`);
};
if ((await ask("/orders/o1", { headers: { cookie: "session=old-token" } })).ok) throw new Error("an expired session is valid");
await show("nobody", "o1");
await show("forged", "o1", "ada");
await show("ada, her own", "o1", "ada-token");
await show("ada, of bob", "o2", "ada-token");
await show("ada, missing", "o3", "ada-token");
process.exit();
