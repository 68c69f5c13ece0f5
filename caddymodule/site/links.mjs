// Checks that every link and picture of the built site leads to a file of it, and every fragment to an element.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("dist", import.meta.url));
const base = process.env.BASE ?? "/caddy-identity-gateway/";
const pages = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith(".html"));
const fileOf = (address) => [address, `${address}.html`, path.join(address, "index.html")].map((f) => path.join(dist, f)).find((f) => /\.\w+$/.test(f) && existsSync(f));
let links = 0;
const broken = [];
for (const page of pages) {
  const html = readFileSync(path.join(dist, page), "utf8");
  for (const [, link] of html.matchAll(/<(?:a|img|link|script)\b[^>]*? (?:href|src)="([^"]*)"/g)) {
    const url = new URL(link.replaceAll("&amp;", "&"), `https://site${base}${page.replaceAll(path.sep, "/")}`);
    if (url.host !== "site") continue;
    links++;
    const file = url.pathname.startsWith(base) ? fileOf(decodeURIComponent(url.pathname.slice(base.length))) : undefined;
    const id = decodeURIComponent(url.hash.slice(1));
    if (!file || (id && !readFileSync(file, "utf8").includes(` id="${id}"`))) broken.push(`${page}: ${link}`);
  }
}
console.log(`${pages.length} pages, ${links} links within the site, ${broken.length} broken`);
if (broken.length > 0 || links === 0) {
  console.error(broken.join("\n"));
  process.exit(1);
}
