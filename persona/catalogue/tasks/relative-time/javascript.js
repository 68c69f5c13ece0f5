// snippet:why Nobody subtracts dates in their head.
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/Web_components/Using_custom_elements Using custom elements
// snippet:into Load it in a page with type="module".
// snippet:check
globalThis.HTMLElement = class {
  attributes = new Map();
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
};
const registry = new Map();
globalThis.customElements = { define: (name, type) => registry.set(name, type) };
// snippet:end
/**
 * <relative-time datetime="2025-03-01T09:00Z">1 March 2025</relative-time>
 * Load it with type="module": before the page is parsed, the text between the tags would be added to what is set here.
 */
class RelativeTime extends HTMLElement {
  static observedAttributes = ["datetime"];
  static #format = new Intl.RelativeTimeFormat(); // numbers: 47 hours ago need not be yesterday
  static #now = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(0, "second");
  static #units = [ // a year of 365 days: an anniversary is not 11 months ago
    ["year", 31_536_000], ["month", 2_628_000], ["day", 86_400],
    ["hour", 3_600], ["minute", 60],
  ];

  attributeChangedCallback() {
    const then = Date.parse(this.getAttribute("datetime"));
    // Keep the readable text between the tags when the date makes no sense.
    if (Number.isNaN(then)) return;
    this.title = new Date(then).toLocaleString();
    this.textContent = RelativeTime.describe(Math.trunc((then - Date.now()) / 1000));
  }

  static describe(seconds) {
    const fits = this.#units.find(([, size]) => Math.abs(seconds) >= size);
    if (!fits) return this.#now;
    const [unit, size] = fits;
    // Never rounded up: 119 minutes are not yet two hours.
    return this.#format.format(Math.trunc(seconds / size), unit);
  }
}

customElements.define("relative-time", RelativeTime);
// snippet:check
const element = new (registry.get("relative-time"))();
for (const age of [-26 * 3600, 2 * 3600 + 30, -119 * 60, -800 * 86400, 0]) {
  element.attributes.set("datetime", new Date(Date.now() + age * 1000).toISOString());
  element.attributeChangedCallback();
  console.log(element.textContent);
}
// snippet:prints 1 day ago
// snippet:prints in 2 hours
// snippet:prints 1 hour ago
// snippet:prints 2 years ago
// snippet:prints now
