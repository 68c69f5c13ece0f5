// snippet:doc https://react.dev/reference/react/Component#catching-rendering-errors-with-an-error-boundary Error boundaries
// snippet:about React
// snippet:check
import { render } from "./dom.js";
// snippet:prints menu | This part is not available.
// snippet:prints reported: no data
// snippet:prints the same key: This part is not available.
// snippet:prints another key: orders
// snippet:end
import { Component } from "react";

// <Boundary key={path} …>: another page is not failed because the one before it was.
export class Boundary extends Component {
  state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  componentDidCatch(error, info) {
    this.props.report(error, info.componentStack ?? "");
  }

  render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}

// snippet:check
function Broken() {
  throw new Error("no data");
}
const reports = [];
console.error = () => {};
const page = await render(
  <main>
    {"menu | "}
    <Boundary fallback="This part is not available." report={(error, where) => where.includes("Broken") && reports.push(error.message)}>
      <Broken />
    </Boundary>
  </main>,
);
console.log(page.textContent);
console.log("reported:", reports.join());
const part = await render(<Boundary key="/a" fallback="This part is not available." report={() => {}}><Broken /></Boundary>);
for (const [name, key] of [["the same", "/a"], ["another", "/b"]]) {
  await render(<Boundary key={key} fallback="This part is not available." report={() => {}}>orders</Boundary>, part);
  console.log(`${name} key: ${part.textContent}`);
}
process.exit();
