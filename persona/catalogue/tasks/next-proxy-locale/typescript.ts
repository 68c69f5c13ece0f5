// snippet:doc https://nextjs.org/docs/app/api-reference/file-conventions/proxy proxy.ts
// snippet:about Next.js
// snippet:prints de-AT,de;q=0.9,en;q=0.5: 307 /de/shop?page=2
// snippet:prints pt;q=0.9, fr-CA;q=0.8, en;q=0.1: 307 /fr/shop?page=2
// snippet:prints en;q=0, de;q=0.1: 307 /de/shop?page=2
// snippet:prints nothing: 307 /en/shop?page=2
// snippet:prints /fr/shop: 200
// snippet:prints /apiary: 307
// snippet:prints /: 307
// snippet:prints /api: 404
// snippet:prints /api/x: 404
// snippet:prints /logo.svg: 404
// snippet:needs Next.js 16
// proxy.ts
import { NextResponse, type NextRequest } from "next/server";

const languages = ["en", "de", "fr"];

function preferred(header: string): string {
  const wanted = header.split(",").map((part) => {
    const [tag = "", q = "q=1"] = part.split(";").map((text) => text.trim());
    return { language: tag.split("-")[0]!.toLowerCase(), quality: Number(q.replace(/^q=/i, "")) };
  });
  const known = wanted.filter(({ language, quality }) => quality > 0 && languages.includes(language));
  return known.sort((a, b) => b.quality - a.quality)[0]?.language ?? languages[0]!;
}

export function proxy(request: NextRequest) {
  const url = request.nextUrl.clone(); // keeps the query
  if (languages.includes(url.pathname.split("/")[1]!)) return NextResponse.next();

  url.pathname = `/${preferred(request.headers.get("accept-language") ?? "")}${url.pathname}`;
  const response = NextResponse.redirect(url);
  response.headers.set("Vary", "Accept-Language");
  return response;
}

export const config = { matcher: "/((?!api/|api$|_next/|.*\\.).*)" };
// snippet:check
// app/[language]/shop/page.tsx
export default function Page() { return "Shop"; }
// check.mjs
import { ask } from "./server.mjs";
for (const language of ["de-AT,de;q=0.9,en;q=0.5", "pt;q=0.9, fr-CA;q=0.8, en;q=0.1", "en;q=0, de;q=0.1", ""]) {
  const response = await ask("/shop?page=2", { headers: { "accept-language": language } });
  if (!response.headers.get("vary")?.includes("Accept-Language")) throw new Error("no Vary");
  const to = new URL(response.headers.get("location"), "http://x");
  console.log(`${language || "nothing"}: ${response.status} ${to.pathname}${to.search}`);
}
for (const path of ["/fr/shop", "/apiary", "/", "/api", "/api/x", "/logo.svg"]) console.log(`${path}: ${(await ask(path)).status}`);
process.exit();
