// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/Window/requestAnimationFrame requestAnimationFrame()
// snippet:check
const frames = [];
globalThis.requestAnimationFrame = (callback) => frames.push(callback);
// snippet:end
const STEP = 1 / 120; // seconds: the rules run at this pace on every screen

export function startLoop({ update, draw }) {
  let previous;
  let behind = 0;
  let stopped = false;

  requestAnimationFrame(function frame(now) {
    if (stopped) return;
    // A tab in the background gets no frames: do not simulate the whole pause.
    behind += Math.min((now - (previous ?? now)) / 1000, 0.25);
    previous = now;
    while (behind >= STEP) {
      update(STEP);
      behind -= STEP;
    }
    draw(behind / STEP);
    requestAnimationFrame(frame);
  });

  return () => {
    stopped = true;
  };
}
// snippet:check
const ball = { y: 0, speed: 60 };
const stop = startLoop({
  update: (dt) => (ball.y += ball.speed * dt),
  draw: (blend) => console.log(ball.y.toFixed(1), blend.toFixed(2)),
});
for (const now of [0, 16, 33, 5000]) frames.shift()(now);
stop();
frames.shift()(6000);
// snippet:prints 0.0 0.00
// snippet:prints 0.5 0.92
// snippet:prints 1.5 0.96
// snippet:prints 16.5 0.96
