// snippet:doc https://react.dev/reference/react/Component#catching-rendering-errors-with-an-error-boundary Error boundaries
// snippet:about React
// snippet:check
import { render } from "./dom.js";
// snippet:prints menu | This part is not available.
// snippet:prints reported: no data
// snippet:end
import { Component, type ErrorInfo, type ReactNode } from "react";

type Props = { fallback: ReactNode; report: (error: Error, where: string) => void; children: ReactNode };

export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    this.props.report(error, info.componentStack ?? "");
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}

// snippet:check
function Broken(): ReactNode {
  throw new Error("no data");
}
const reports: string[] = [];
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
process.exit();
