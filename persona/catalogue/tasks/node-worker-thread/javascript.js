// snippet:doc https://nodejs.org/api/worker_threads.html Worker threads
// snippet:about Node.js
// snippet:usage
// snippet:prints 499999500000
// snippet:prints the loop went on: true
// snippet:prints 0
// snippet:end
import { parentPort, Worker, workerData } from "node:worker_threads";

export function sumInWorker(numbers) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { numbers },
      transferList: [numbers.buffer], // moved, not copied
    });
    worker.once("message", (sum) => resolve(sum));
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the worker ended with ${code}`))); // no effect after a message
  });
}

if (workerData?.numbers) { // this is the worker
  parentPort.postMessage(workerData.numbers.reduce((sum, n) => sum + n, 0));
}

// snippet:usage
if (!workerData) {
  const numbers = Float64Array.from({ length: 1_000_000 }, (_, i) => i);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  console.log(await sumInWorker(numbers));
  clearInterval(timer);
  console.log("the loop went on:", turns > 0);
  console.log(numbers.length);
}
