// snippet:doc https://angular.dev/guide/testing Testing
// snippet:into Save it as hello.spec.ts in an Angular application: ng test
// snippet:about Angular
// snippet:check
import "./dom.js";
import { createRequire } from "node:module";
const runner = createRequire(import.meta.url)("jasmine-core").noGlobals();
const { describe, it, expect } = runner;
// snippet:prints says hello again after a click
// snippet:needs Angular 21
// snippet:end
import { Component, inject, Injectable, input, signal } from "@angular/core";
import { TestBed } from "@angular/core/testing";

@Injectable({ providedIn: "root" })
export class Greetings {
  async next(name: string) {
    const response = await fetch(`/api/greetings/${encodeURIComponent(name)}`);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response.text();
  }
}

@Component({ selector: "app-hello", template: `<button (click)="again()">{{ greeting() }}</button>` })
export class Hello {
  readonly name = input.required<string>();
  protected readonly greeting = signal("Hello!");
  private readonly greetings = inject(Greetings);
  protected async again() { this.greeting.set(await this.greetings.next(this.name())); }
}

describe("Hello", () => {
  it("says hello again after a click", async () => {
    TestBed.configureTestingModule({
      providers: [{ provide: Greetings, useValue: { next: async (name: string) => `Welcome back, ${name}!` } }],
    });
    const fixture = TestBed.createComponent(Hello);
    fixture.componentRef.setInput("name", "Ada");
    await fixture.whenStable();
    expect(fixture.nativeElement.textContent).toBe("Hello!");
    fixture.nativeElement.querySelector("button").click();
    await fixture.whenStable();
    expect(fixture.nativeElement.textContent).toBe("Welcome back, Ada!");
  });
});
// snippet:check
runner.jasmine.getEnv().addReporter({ specDone: ({ status, description, failedExpectations }: jasmine.SpecResult) => {
  console.log(status === "passed" ? description : failedExpectations.map(({ message }) => message).join());
} });
await runner.jasmine.getEnv().execute();
process.exit();
