// snippet:doc https://angular.dev/api/forms/ControlValueAccessor ControlValueAccessor
// snippet:about Angular
// snippet:check
import { FormControl, ReactiveFormsModule } from "@angular/forms";
import { configure, fire, render } from "./dom.js";
// snippet:prints ○○○●○
// snippet:prints form: 2, dirty: true
// snippet:prints on the next star: false
// snippet:prints touched: true
// snippet:prints ●○○○○
// snippet:prints form: 1, refused
// snippet:prints ●○○○○
// snippet:prints disabled: true
// snippet:needs Angular 20
// snippet:end
import { ChangeDetectorRef, Component, inject, signal } from "@angular/core";
import { ControlValueAccessor, NG_VALUE_ACCESSOR } from "@angular/forms";

let groups = 0;
@Component({
  selector: "app-rating",
  providers: [{ provide: NG_VALUE_ACCESSOR, useExisting: Rating, multi: true }],
  template: `
    <fieldset [disabled]="disabled()" (focusout)="left($event)"><legend>Rating</legend>
      @for (n of [1, 2, 3, 4, 5]; track n) {
        <label><input type="radio" [name]="name" [checked]="value() === n" (change)="choose(n)" />{{ n }}</label>
      }
    </fieldset>`,
})
export class Rating implements ControlValueAccessor {
  private readonly view = inject(ChangeDetectorRef);
  protected readonly name = `rating-${++groups}`;
  protected readonly value = signal<number | null>(null);
  protected readonly disabled = signal(false);
  protected changed = (_: number) => {};
  protected touched = () => {};
  protected left({ relatedTarget, currentTarget }: FocusEvent) {
    if (!(currentTarget as Element).contains(relatedTarget as Node | null)) this.touched();
  }
  protected choose(n: number) {
    this.value.set(n);
    this.view.detectChanges(); // before the form is told: it may write the old value back
    this.changed(n);
  }
  writeValue(value: number | null) { this.value.set(value); }
  registerOnChange(fn: (value: number) => void) { this.changed = fn; }
  registerOnTouched(fn: () => void) { this.touched = fn; }
  setDisabledState(disabled: boolean) { this.disabled.set(disabled); }
}

// snippet:check
@Component({ selector: "app-host", imports: [Rating, ReactiveFormsModule], template: `<app-rating [formControl]="control" />` })
class Host { control = new FormControl<number | null>(4); }

configure();
const { fixture, page, component: { control } } = await render(Host);
const radios = () => [...page.querySelectorAll("input")];
const show = () => console.log(radios().map((radio) => (radio.checked ? "●" : "○")).join(""));
show();
radios()[1]!.click();
await fire(fixture, radios()[1]!, "change");
console.log(`form: ${control.value}, dirty: ${control.dirty}`);
const leave = (to: Element | null) => fire(fixture, radios()[1]!, new window.FocusEvent("focusout", { bubbles: true, relatedTarget: to }));
await leave(radios()[2]!);
console.log(`on the next star: ${control.touched}`);
await leave(null);
console.log(`touched: ${control.touched}`);
control.setValue(1);
await fixture.whenStable();
show();
const refusing = control.valueChanges.subscribe(() => control.setValue(1, { emitEvent: false }));
radios()[3]!.click();
await fixture.whenStable();
console.log(`form: ${control.value}, refused`);
show();
refusing.unsubscribe();
control.disable();
await fixture.whenStable();
console.log(`disabled: ${page.querySelector("fieldset")!.disabled}`);
process.exit();
