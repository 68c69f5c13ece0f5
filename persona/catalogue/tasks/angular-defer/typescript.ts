// snippet:doc https://angular.dev/guide/templates/defer Deferred loading
// snippet:about Angular
// snippet:check
import { DeferBlockBehavior, DeferBlockState } from "@angular/core/testing";
import { configure, text, TestBed } from "./dom.js";
// snippet:prints Placeholder: The chart appears here.
// snippet:prints Loading: Loading the chart…
// snippet:prints Complete: 12 orders in March
// snippet:prints Error: The chart could not be loaded.
// snippet:needs Angular 20
// snippet:end
import { Component, input } from "@angular/core";

// chart.ts: in the file of the report it would be loaded at once
@Component({ selector: "app-chart", template: "<p>{{ orders().length }} orders in March</p>" })
export class Chart {
  readonly orders = input.required<number[]>();
}

// report.ts: import { Chart } from "./chart";
@Component({
  selector: "app-report",
  imports: [Chart],
  template: `
    <section>
      @defer (on viewport) {
        <app-chart [orders]="orders()" />
      } @placeholder {
        <p>The chart appears here.</p>
      } @loading (after 100ms; minimum 500ms) {
        <p role="status">Loading the chart…</p>
      } @error {
        <p role="alert">The chart could not be loaded.</p>
      }
    </section>`,
  styles: "section { min-block-size: 20rem }",
})
export class Report {
  readonly orders = input.required<number[]>();
}

// snippet:check
configure();
TestBed.configureTestingModule({ deferBlockBehavior: DeferBlockBehavior.Manual });
const fixture = TestBed.createComponent(Report);
fixture.componentRef.setInput("orders", Array(12).fill(1));
const [block] = await fixture.getDeferBlocks();
for (const state of ["Placeholder", "Loading", "Complete", "Error"] as const) {
  await block!.render(DeferBlockState[state]);
  console.log(`${state}: ${text(fixture.nativeElement)}`);
}
process.exit();
