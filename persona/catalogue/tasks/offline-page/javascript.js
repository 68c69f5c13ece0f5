// snippet:doc https://developer.mozilla.org/en-US/docs/Web/Progressive_web_apps/Guides/Caching Caching in progressive web apps
// snippet:check
const store = new Map();
const cache = {
  match: async (request) => store.get(request.url)?.clone(),
  put: async (request, response) => void store.set(request.url, response),
  addAll: async (paths) => paths.forEach((path) => store.set(path, new Response(path))),
};
globalThis.caches = { open: async () => cache, keys: async () => ["app-v1", "app-v2", "other"], delete: async (key) => console.log("dropped", key) };
globalThis.self = Object.assign(new EventTarget(), { clients: { claim: async () => {} } });
// snippet:end
const VERSION = "app-v2";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(["/", "/app.css", "/app.js"])));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((keys) => {
      const old = keys.filter((key) => key.startsWith("app-") && key !== VERSION);
      return Promise.all(old.map((key) => caches.delete(key)));
    }),
  );
});

self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(staleWhileRevalidate(event));
});

/** Answer from the cache at once and refresh it behind the scenes. */
async function staleWhileRevalidate(event) {
  const { request } = event;
  const cache = await caches.open(VERSION);
  const cached = await cache.match(request);
  const fresh = fetch(request).then((response) => {
    // 206 is a part, which no cache takes; a full disk is no reason to withhold the answer.
    if (response.status === 200) event.waitUntil(cache.put(request, response.clone()));
    return response;
  });
  if (!cached) return fresh;
  // Without waitUntil the browser may stop the worker before the cache is renewed.
  event.waitUntil(fresh.catch(() => {})); // offline: the cached copy is the answer
  return cached;
}
// snippet:check
const request = new Request("http://app.test/data");
let online = true;
globalThis.fetch = async () => {
  if (!online) throw new TypeError("offline");
  return new Response(`v${store.size}`);
};
async function send(type, fields = {}) {
  let outcome;
  waitedFor = type === "fetch" ? 0 : waitedFor;
  const waitUntil = (p) => (type === "fetch" ? waitedFor++ : (outcome = p));
  self.dispatchEvent(Object.assign(new Event(type), fields, { waitUntil, respondWith: (p) => (outcome = p) }));
  return outcome;
}
let waitedFor;
await send("install");
await send("activate");
console.log(await (await send("fetch", { request })).text(), waitedFor);
online = false;
console.log(await (await send("fetch", { request })).text(), waitedFor);
// snippet:prints dropped app-v1
// snippet:prints v3 1
// snippet:prints v3 1
