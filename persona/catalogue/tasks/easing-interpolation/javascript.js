// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/Window/matchMedia Window.matchMedia()
// snippet:into Load it in a page with type="module".
// snippet:check
let clock = 0;
const frames = [];
globalThis.requestAnimationFrame = (callback) => frames.push(callback);
globalThis.matchMedia = () => ({ matches: false });
performance.now = () => clock;
// snippet:end
export const lerp = (from, to, t) => from * (1 - t) + to * t; // for t = 1 exactly `to`
export const clamp01 = (t) => Math.min(1, Math.max(0, t));
export const easeOutCubic = (t) => 1 - (1 - t) ** 3;

/** Call `draw` every frame with a value that glides from one number to the other. */
export async function tween({ from, to, duration = 300, ease = easeOutCubic }, draw) {
  const { matches: calm } = matchMedia("(prefers-reduced-motion: reduce)");
  const start = performance.now();
  for (let t = 0; t < 1; ) {
    const now = await new Promise(requestAnimationFrame);
    // Some people get dizzy: for them the value just arrives.
    t = calm || duration <= 0 ? 1 : clamp01((now - start) / duration);
    draw(lerp(from, to, ease(t)));
  }
}
// snippet:check
const done = tween({ from: 0, to: 100 }, (value) => console.log(value.toFixed(1)));
for (const now of [0, 100, 200, 400]) {
  frames.shift()(now);
  await new Promise((resolve) => setTimeout(resolve));
}
await done;
console.log(frames.length, lerp(3, 0.1, 1));
// snippet:prints 0.0
// snippet:prints 70.4
// snippet:prints 96.3
// snippet:prints 100.0
// snippet:prints 0 0.1
