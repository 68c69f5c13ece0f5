// snippet:description Draw labelled bars of characters, scaled to the largest value. A sparkline has one character for each value
// snippet:description and fits into a log line.
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/String/repeat String.prototype.repeat()
const BLOCKS = "▁▂▃▄▅▆▇█";

/** ▁▃█, of finite numbers: a chart that fits into a log line or a chat message. */
export function sparkline(values) {
  const low = Math.min(...values);
  const range = Math.max(...values) - low || 1;
  const index = (value) => Math.round(((value - low) / range) * (BLOCKS.length - 1));
  return values.map((value) => BLOCKS[index(value)]).join("");
}

export function barChart(data, width = 30) {
  const peak = Math.max(0, ...Object.values(data));
  const label = Math.max(...Object.keys(data).map((key) => key.length));
  return Object.entries(data)
    .map(([key, value]) => {
      const bar = "█".repeat(Math.max(0, Math.round((value / peak) * width)));
      return `${key.padStart(label)} │${bar} ${value}`;
    })
    .join("\n");
}

console.log(barChart({ Chrome: 6431, Safari: 1872, Firefox: 655, Edge: 512 }));
console.log("requests", sparkline([3, 4, 4, 6, 9, 14, 22, 17, 11, 6]));
// snippet:usage
// snippet:prints  Chrome │██████████████████████████████ 6431
// snippet:prints  Safari │█████████ 1872
// snippet:prints Firefox │███ 655
// snippet:prints    Edge │██ 512
// snippet:prints requests ▁▁▁▂▃▅█▆▄▂
// snippet:check
// snippet:prints a │ -1
// snippet:prints b │ 0
console.log(barChart({ a: -1, b: 0 }));
