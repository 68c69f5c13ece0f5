// snippet:doc https://angular.dev/ecosystem/rxjs-interop RxJS interop
// snippet:about Angular
// snippet:check
import { provideHttpClient } from "@angular/common/http";
import { HttpTestingController, provideHttpClientTesting } from "@angular/common/http/testing";
import { configure, fire, render, text, TestBed } from "./dom.js";
// snippet:prints asked for: an | ang & co
// snippet:prints first request cancelled: true
// snippet:prints Angular & Co
// snippet:prints The search does not answer.
// snippet:prints Vue
// snippet:needs Angular 20
// snippet:end
import { HttpClient } from "@angular/common/http";
import { Component, inject, signal } from "@angular/core";
import { toObservable, toSignal } from "@angular/core/rxjs-interop";
import { catchError, debounceTime, distinctUntilChanged, of, switchMap, timeout } from "rxjs";

@Component({
  selector: "app-search",
  template: `
    <input #field type="search" aria-label="Search" (input)="query.set(field.value)" />
    @if (hits(); as found) {
      <ul>@for (hit of found; track $index) { <li>{{ hit }}</li> }</ul>
    } @else {
      <p role="alert">The search does not answer.</p>
    }`,
})
export class Search {
  private readonly http = inject(HttpClient); // app.config.ts: provideHttpClient()
  readonly query = signal("");

  readonly hits = toSignal(
    toObservable(this.query).pipe(
      debounceTime(250),
      distinctUntilChanged(),
      switchMap((q) => q.length < 2 ? of([]) : this.http
        .get<string[]>("/api/search", { params: { q } })
        .pipe(timeout(5_000), catchError(() => of(null)))),
    ),
    { initialValue: [] },
  );
}

// snippet:check
configure(provideHttpClient(), provideHttpClientTesting());
const { fixture, page } = await render(Search);
const server = TestBed.inject(HttpTestingController);
const type = async (value: string) => {
  for (let end = 1; end <= value.length; end++) await fire(fixture, page.querySelector("input")!, "input", value.slice(0, end));
  await new Promise((done) => setTimeout(done, 300));
  return server.match(() => true)[0]!;
};
const show = async () => { await fixture.whenStable(); console.log(text(page.querySelector("ul, p"))); };
const first = await type("an");
const second = await type("ang & co");
console.log(`asked for: ${[first, second].map(({ request }) => request.params.get("q")).join(" | ")}`);
console.log(`first request cancelled: ${first.cancelled}`);
second.flush(["Angular & Co"]);
await show();
(await type("react")).flush("", { status: 503, statusText: "down" });
await show();
(await type("vue")).flush(["Vue"]);
await show();
process.exit();
