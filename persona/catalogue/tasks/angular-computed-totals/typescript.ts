// snippet:doc https://angular.dev/guide/signals Signals
// snippet:about Angular
// snippet:check
import { configure, fire, render, text } from "./dom.js";
// snippet:prints Tea 2 × €4.50 + Cup 1 × €9.00 + Total €18.00
// snippet:prints Tea 3 × €4.50 + Cup 1 × €9.00 + Total €22.50
// snippet:prints Your cart is empty.
// snippet:needs Angular 20
// snippet:end
import { CurrencyPipe } from "@angular/common";
import { Component, computed, signal } from "@angular/core";

interface Line { id: number; name: string; cents: number; count: number }

@Component({
  selector: "app-cart",
  imports: [CurrencyPipe],
  template: `
    @for (line of lines(); track line.id) {
      <p>{{ line.name }} {{ line.count }} × {{ line.cents / 100 | currency: "EUR" }}
        <button (click)="add(line.id)" [attr.aria-label]="'One more ' + line.name">+</button></p>
    } @empty {
      <p>Your cart is empty.</p>
    }
    @if (lines().length > 0) { <p>Total {{ total() / 100 | currency: "EUR" }}</p> }`,
})
export class Cart {
  readonly lines = signal<Line[]>([
    { id: 1, name: "Tea", cents: 450, count: 2 },
    { id: 2, name: "Cup", cents: 900, count: 1 },
  ]);
  readonly total = computed(() => this.lines().reduce((sum, line) => sum + line.cents * line.count, 0));

  add(id: number) {
    this.lines.update((lines) => lines.map((line) => (line.id === id ? { ...line, count: line.count + 1 } : line)));
  }
}

// snippet:check
configure();
const { fixture, page, component } = await render(Cart);
const show = () => console.log([...page.querySelectorAll("p")].map(text).join(" "));
show();
await fire(fixture, page.querySelector("button")!, "click");
show();
component.lines.set([]);
await fixture.whenStable();
show();
process.exit();
