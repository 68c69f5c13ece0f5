// snippet:doc https://angular.dev/guide/forms/typed-forms Typed forms
// snippet:about Angular
// snippet:check
import { configure, fire, render, text } from "./dom.js";
// snippet:prints -
// snippet:prints At least 12 characters. The passwords differ.
// snippet:prints sent: correct horse
// snippet:needs Angular 20
// snippet:end
import { Component, inject, output } from "@angular/core";
import { NonNullableFormBuilder, ReactiveFormsModule, ValidatorFn, Validators } from "@angular/forms";

const samePasswords: ValidatorFn = ({ value }) => (value.password === value.again ? null : { differ: true });

@Component({
  selector: "app-new-password",
  imports: [ReactiveFormsModule],
  template: `
    <form [formGroup]="form" (ngSubmit)="submit()">
      <input type="password" autocomplete="new-password" formControlName="password"
        aria-label="Password" aria-describedby="short" />
      @if (password.touched && password.invalid) { <p id="short" role="alert">At least 12 characters.</p> }
      <input type="password" autocomplete="new-password" formControlName="again"
        aria-label="Password, again" aria-describedby="differ" />
      @if (form.controls.again.touched && form.hasError("differ")) {
        <p id="differ" role="alert">The passwords differ.</p>
      }
      <button>Save</button>
    </form>`,
})
export class NewPassword {
  readonly saved = output<string>();
  readonly form = inject(NonNullableFormBuilder).group(
    { password: ["", [Validators.required, Validators.pattern(/^.{12,}$/su)]], again: "" },
    { validators: samePasswords },
  );
  readonly password = this.form.controls.password;

  submit() {
    if (this.form.invalid) this.form.markAllAsTouched(); // show every error at once
    else this.saved.emit(this.form.getRawValue().password);
  }
}

// snippet:check
configure();
const { fixture, page, component } = await render(NewPassword);
component.saved.subscribe((password) => console.log(`sent: ${password}`));
const [first, second] = page.querySelectorAll("input");
const errors = () => console.log([...page.querySelectorAll("p")].map(text).join(" ") || "-");
errors();
await fire(fixture, first!, "input", "short");
await fire(fixture, page.querySelector("form")!, "submit");
errors();
for (const input of [first!, second!]) await fire(fixture, input, "input", "correct horse");
await fire(fixture, page.querySelector("form")!, "submit");
process.exit();
