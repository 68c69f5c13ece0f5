// snippet:doc https://nextjs.org/docs/app/api-reference/functions/generate-static-params generateStaticParams
// snippet:about Next.js
// snippet:prints /posts/first: 200 First steps – A diary | First steps Hello.
// snippet:prints /posts/second: 200 Second thoughts – A diary | Second thoughts Hm.
// snippet:prints /posts/third: 404
// snippet:prints built ahead: first, second
// snippet:needs Next.js 15
// app/posts/[slug]/page.tsx
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { posts } from "@/lib/posts";

type Props = { params: Promise<{ slug: string }> };

export const dynamicParams = false;
export const generateStaticParams = () => posts.map(({ slug }) => ({ slug }));

const findPost = cache(async (slug: string) => posts.find((post) => post.slug === slug) ?? notFound());

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { title, text } = await findPost((await params).slug);
  return { title: `${title} – A diary`, description: [...text].slice(0, 150).join("") };
}

export default async function Page({ params }: Props) {
  const post = await findPost((await params).slug);
  return <article><h1>{post.title}</h1><p>{post.text}</p></article>;
}

// lib/posts.ts
export const posts = [ // your files or your database; slugs of a to z, 0 to 9 and -
  { slug: "first", title: "First steps", text: "Hello." },
  { slug: "second", title: "Second thoughts", text: "Hm." },
];
// snippet:check
// check.mjs
import { readdirSync } from "node:fs";
import { ask, text } from "./server.mjs";
for (const slug of ["first", "second", "third"]) {
  const response = await ask(`/posts/${slug}`);
  const html = await response.text();
  const rest = response.ok ? ` ${/<title>(.*?)<\/title>/.exec(html)?.[1]} | ${await text(new Response(html))}` : "";
  console.log(`/posts/${slug}: ${response.status}${rest}`);
}
const built = readdirSync(".next/server/app/posts").filter((name) => name.endsWith(".html") && !name.startsWith("["));
console.log(`built ahead: ${built.map((name) => name.replace(".html", "")).sort().join(", ")}`);
process.exit();
