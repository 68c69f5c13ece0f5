// snippet:description Draw labelled bars of characters, scaled to the largest value: a picture without a plotting library. The
// snippet:description value stands beside each bar, rounded to a short form such as 3.1M.
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Intl/NumberFormat Intl.NumberFormat
export interface Bar {
  readonly label: string;
  readonly value: number;
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

export function renderBars(bars: readonly Bar[], width = 32): string {
  const peak = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const labelWidth = Math.max(...bars.map(({ label }) => label.length));
  const line = ({ label, value }: Bar): string => {
    const filled = Math.max(0, Math.round((value / peak) * width));
    const bar = "▓".repeat(filled).padEnd(width, "░");
    return `${label.padEnd(labelWidth)} ${bar} ${compact.format(value)}`;
  };
  return bars.map(line).join("\n");
}

console.log(
  renderBars([
    { label: "npm", value: 3_100_000 },
    { label: "PyPI", value: 590_000 },
    { label: "crates", value: 175_400 },
  ]),
);
// snippet:usage
console.log(renderBars([{ label: "miss", value: 0.0004 }], 4));
// snippet:prints npm    ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ 3.1M
// snippet:prints PyPI   ▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░ 590K
// snippet:prints crates ▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 175K
// snippet:prints miss ▓▓▓▓ 0.0004
