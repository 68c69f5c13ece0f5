// Classifies snippets with a JavaScript library. Standard input: a JSON string per line. Standard output: a line of
// {"name", "micros"} for each; name is empty where the library names nothing, micros is the processor time. Arguments:
// the library; for highlight.js also the names that it may choose from, separated by commas.
import { createInterface } from 'node:readline';

const [library, names] = process.argv.slice(2);

const classifiers = {
  'highlight.js': async () => {
    const { default: hljs } = await import('highlight.js');
    const subset = names.split(',');
    return (text) => hljs.highlightAuto(text, subset).language ?? '';
  },
  'vscode-languagedetection': async () => {
    const { default: detection } = await import('@vscode/vscode-languagedetection');
    // Its default refuses to look at fewer than twenty characters.
    const model = new detection.ModelOperations({ minContentSize: 1 });
    return async (text) => (await model.runModel(text))[0]?.languageId ?? '';
  },
  flourite: async () => {
    const { default: flourite } = await import('flourite');
    return (text) => flourite(text).language;
  },
};

const classify = await classifiers[library]();
await classify('int main() { return 0; }'); // loads what is loaded late
for await (const line of createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  const start = process.cpuUsage();
  let name = '';
  try {
    name = await classify(text);
  } catch {
    // no prediction
  }
  const { user, system } = process.cpuUsage(start);
  process.stdout.write(JSON.stringify({ name, micros: user + system }) + '\n');
}
