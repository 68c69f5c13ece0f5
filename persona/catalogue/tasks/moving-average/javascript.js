// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Float64Array Float64Array
/** Mean of the last `size` values, for a live chart or a sensor; on average the work does not grow with `size`. */
export function movingAverage(size) {
  const window = new Float64Array(size);
  let count = 0;
  let sum = 0;
  return (value) => {
    const slot = count % size;
    sum += value - window[slot];
    window[slot] = value; // overwrites the oldest
    count++;
    // Once a round the sum is computed afresh: rounding errors do not add up, and those of a huge value end there.
    if (slot === size - 1) sum = window.reduce((total, each) => total + each, 0);
    return sum / Math.min(count, size);
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
