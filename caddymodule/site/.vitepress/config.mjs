// The documentation as a static site, from the Markdown files where they are. What they link to that is no page of it,
// such as source code, is a link to the repository.
import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

const site = fileURLToPath(new URL("..", import.meta.url));
const root = path.resolve(site, "../..");
const repository = "https://github.com/identity-gateway/caddy-identity-gateway";
const version = process.env.VERSION ?? "main"; // a tag, or main
const home = "/caddy-identity-gateway/"; // the newest release is there, or main before the first one
const base = process.env.BASE ?? home;
const tags = execFileSync("git", ["-C", root, "tag", "--list", "v[0-9]*", "--sort=-version:refname"], { encoding: "utf8" });
const versions = [...tags.split("\n").filter(Boolean), "main"];

const isPage = (file) => file.endsWith(".md") && !file.startsWith(".") && !/(^|\/)testdata\//.test(file);

/** target is where a link in the file from leads to on the site. */
function target(from, href) {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [link, fragment] = href.split("#");
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(from), link));
  const hash = fragment ? `#${fragment}` : "";
  const readme = path.posix.join(file, "README.md");
  if (existsSync(path.join(root, readme))) return `/${address(readme)}${hash}`;
  if (isPage(file)) return `/${address(file)}${hash}`;
  const kind = statSync(path.join(root, file)).isDirectory() ? "tree" : "blob";
  return `${repository}/${kind}/${version}/${file}${hash}`;
}

/** address is that of a page's file. The home page is the site's own, and README the overview. */
const address = (file) => (file === "README.md" ? "overview" : file === "caddymodule/site/index.md" ? "" : file.replace(/(^|\/)README\.md$/, "$1").replace(/\.md$/, ""));

/** slugify makes the anchors of headings as GitHub does. */
const slugify = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-");

/** style gives what VitePress shows too faintly a contrast of 4.5:1, and takes away the keys that the name of the search button lacks. */
const style = `html:root { --vp-code-lang-color: var(--vp-c-text-2) }
html:not(.dark) { --vp-button-brand-bg: var(--vp-c-brand-1); --vp-button-brand-hover-bg: var(--vp-c-brand-1) }
.DocSearch-Button .DocSearch-Button-Keys { display: none }`;

const pages = (...list) => list.map(([text, link]) => ({ text, link }));

export default defineConfig({
  title: "Caddy identity gateway",
  description: "Logins of apps and MCP agents in front of any identity provider, and technical language, in Caddy",
  base,
  srcDir: root,
  srcExclude: ["**/testdata/**", "persona/catalogue/tasks/**", "**/.cache/**"],
  outDir: path.join(site, "dist"),
  cleanUrls: true,
  lastUpdated: false,
  rewrites: (file) => `${address(file).replace(/(^|\/)$/, "$1index")}.md`,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}icon.svg` }], ["style", {}, style]],
  transformHtml: (page) => page.replace('<div class="VPContent is-home" id="VPContent"', '$& role="main"'),
  vite: {
    publicDir: path.join(site, "public"),
    resolve: { // for pages outside of this folder
      alias: [
        { find: /^vue$/, replacement: path.join(site, "node_modules/vue/dist/vue.runtime.esm-bundler.js") },
        { find: /^vue\/server-renderer$/, replacement: path.join(site, "node_modules/vue/server-renderer/index.mjs") },
      ],
    },
    build: { chunkSizeWarningLimit: 2000 },
  },
  ignoreDeadLinks: "localhostLinks",
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify },
    languageAlias: { caddyfile: "nginx", conf: "ini" },
    config(md) {
      // A column of names needs no heading, and an empty one is announced by screen readers.
      md.core.ruler.push("headings of tables", (state) => {
        state.tokens.forEach((token, i) => {
          if (token.type !== "th_open" || state.tokens[i + 1].content) return;
          token.tag = state.tokens[i + 2].tag = "td";
        });
      });
      md.core.ruler.push("links", (state) => {
        const from = path.relative(root, state.env.realPath ?? state.env.path).replaceAll(path.sep, "/");
        for (const token of state.tokens.flatMap((block) => block.children ?? [])) {
          if (token.type === "link_open") token.attrSet("href", target(from, token.attrGet("href")));
        }
      });
    },
  },
  themeConfig: {
    search: { provider: "local", options: { miniSearch: { searchOptions: { boost: { title: 16, titles: 2, text: 1 } } } } }, // "upgrade" is a heading first
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: repository }],
    nav: [
      { text: "Five minutes", link: "/caddymodule/site/start" },
      { text: "Troubleshooting", link: "/caddymodule/PRODUCTION#troubleshooting" },
      { text: version, items: versions.map((v, i) => ({ text: v, link: `https://identity-gateway.github.io${home}${i ? `${v}/` : ""}` })) },
    ],
    sidebar: [
      { text: "Start", items: pages(["Five minutes", "/caddymodule/site/start"], ["Which one do I want?", "/caddymodule/site/choose"], ["Overview", "/overview"], ["Examples", "/caddymodule/examples/"]) },
      { text: "Agents", items: pages(["protect_mcp", "/caddymodule/protectmcp/"], ["An MCP server and its agent", "/caddymodule/examples/#an-mcp-server"]) },
      { text: "Logins and tokens", items: pages(["identity_gateway", "/caddymodule/identity/"], ["require_token", "/caddymodule/requiretoken/"], ["Recipes", "/caddymodule/RECIPES"], ["Libraries", "/caddymodule/LIBRARIES"], ["Threat model", "/caddymodule/THREATS"], ["FAPI 2.0", "/caddymodule/FAPI"]) },
      { text: "Technical language", items: pages(["The directives", "/caddymodule/language/"], ["Segmentation in Go", "/segment/"], ["Model card", "/segment/MODEL"], ["Snippets", "/persona/"], ["Your own catalogue", "/persona/catalogue/"]) },
      { text: "Operate", items: pages(["Into production", "/caddymodule/PRODUCTION"], ["Troubleshooting", "/caddymodule/PRODUCTION#troubleshooting"], ["Upgrading", "/caddymodule/PRODUCTION#upgrades-and-backups"], ["Logs, metrics, commands", "/caddymodule/"], ["Monitoring", "/caddymodule/monitoring/"], ["Several nodes", "/caddymodule/replay/redis/"], ["Sizing", "/caddymodule/SIZING"], ["What it survives", "/caddymodule/SURVIVES"]) },
      { text: "Develop", items: pages(["The gateway in Go", "/idp/"], ["Development IdP", "/caddymodule/devidp/"], ["Clients × IdPs", "/caddymodule/testbed/interop/"]) },
    ],
  },
});
