// snippet:check
// snippet:doc https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio WCAG 2.2: contrast ratio
// snippet:prints 21 4.48 4.54
// snippet:prints #767676
// snippet:prints even black cannot be read on this background
// snippet:prints even black cannot be read on this background
// snippet:end
/** The relative luminance of [red, green, blue], each 0 to 255. */
function luminance(rgb) {
  const [red, green, blue] = rgb.map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4; // screens are not linear
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The colour made darker in small steps, until text in it can be read on the background. */
function readableOn(background, colour, ratio = 4.5) {
  for (let step = 0; step <= 255; step++) {
    const rgb = colour.map((value) => Math.max(0, value - step));
    if (contrast(rgb, background) >= ratio) return rgb; // not rounded: 4.499 is not enough
  }
  throw new Error("even black cannot be read on this background");
}
// snippet:check
const white = [255, 255, 255];
console.log([[0, 0, 0], [119, 119, 119], [118, 118, 118]].map((c) => +contrast(c, white).toFixed(2)).join(" "));
console.log(`#${readableOn(white, [150, 150, 150]).map((v) => v.toString(16).padStart(2, "0")).join("")}`);
for (const colour of [[60, 0, 0], [NaN, 0, 0]]) {
  try { console.log(readableOn([20, 20, 20], colour)); } catch (error) { console.log(error.message); }
}
