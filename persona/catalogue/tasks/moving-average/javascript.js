// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Float64Array Float64Array
/** Mean of the last `size` values in constant time, for a live chart or a sensor. */
export function movingAverage(size) {
  const window = new Float64Array(size);
  let count = 0;
  return (value) => {
    window[count % size] = value; // overwrites the oldest
    count++;
    const filled = Math.min(count, size);
    // Summing the window again costs little and never drifts like a running sum.
    let sum = 0;
    for (let i = 0; i < filled; i++) sum += window[i];
    return sum / filled;
  };
}

const smooth = movingAverage(3);
for (const visitors of [120, 132, 101, 390, 134]) {
  console.log(String(visitors).padStart(4), smooth(visitors).toFixed(1).padStart(7));
}
// snippet:prints  120   120.0
// snippet:prints  132   126.0
// snippet:prints  101   117.7
// snippet:prints  390   207.7
// snippet:prints  134   208.3
