// snippet:doc https://nextjs.org/docs/app/api-reference/file-conventions/page Pages
// snippet:about Next.js
// snippet:prints /products: Search | Apple, Banana | Next
// snippet:prints /products?q=AN&page=1: Search | Banana, Mango | Next
// snippet:prints /products?q=an&page=2: Search | Orange | Back
// snippet:prints /products?q=x&q=an&page=-3: Search | nothing
// snippet:prints /products?page=999: Search | nothing | Back
// snippet:needs Next.js 15
// app/products/page.tsx
import Form from "next/form";
import Link from "next/link";
import { findProducts } from "@/lib/products";

type Params = Promise<Record<string, string | string[] | undefined>>;
const single = (value?: string | string[]) => (Array.isArray(value) ? value[0] : value) ?? "";

export default async function Page({ searchParams }: { searchParams: Params }) {
  const given = await searchParams;
  const q = [...single(given.q)].slice(0, 100).join(""); // by characters: half an emoji is no text
  const asked = single(given.page);
  const page = /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
  const { names, more } = await findProducts(q, page);
  const to = (page: number) => ({ query: { q, page } });
  return (
    <main>
      <Form action="/products">
        <input key={q} name="q" defaultValue={q} aria-label="Name" />{/* key: after Back, what was typed is gone */}
        <button>Search</button>
      </Form>
      <ul>{names.map((name) => <li key={name}>{name}</li>)}</ul>
      {page > 1 && <Link href={to(page - 1)}>Back</Link>} {more && <Link href={to(page + 1)}>Next</Link>}
    </main>
  );
}

// lib/products.ts
const all = ["Apple", "Banana", "Mango", "Orange", "Plum"];

export async function findProducts(q: string, page: number, size = 2) {
  const found = all.filter((name) => name.toLowerCase().includes(q.toLowerCase())); // your query
  return { names: found.slice((page - 1) * size, page * size), more: found.length > page * size };
}
// snippet:check
// check.mjs
import { JSDOM } from "jsdom";
import { ask } from "./server.mjs";
for (const path of ["/products", "/products?q=AN&page=1", "/products?q=an&page=2", "/products?q=x&q=an&page=-3", "/products?page=999"]) {
  const { document } = new JSDOM(await (await ask(path)).text()).window;
  const items = [...document.querySelectorAll("li")].map((li) => li.textContent).join(", ") || "nothing";
  console.log(`${path}: ${[document.querySelector("button").textContent, items, ...[...document.querySelectorAll("a")].map((a) => a.textContent)].join(" | ")}`);
}
process.exit();
