// snippet:doc https://angular.dev/guide/routing/route-guards Route guards
// snippet:about Angular
// snippet:check
import { RouterTestingHarness } from "@angular/router/testing";
import { provideRouter, withComponentInputBinding } from "@angular/router";
import { configure, TestBed, text } from "./dom.js";
// snippet:prints /login?next=%2Forders%3Fpage%3D2 Sign in
// snippet:prints /orders?page=2 Orders
// snippet:prints https://evil.test/: stayed, app.example.com
// snippet:prints //evil.test/: stayed, app.example.com
// snippet:needs Angular 20
// snippet:end
import { Component, inject, Injectable, input, signal } from "@angular/core";
import { CanActivateFn, RedirectCommand, Router, Routes } from "@angular/router";

@Injectable({ providedIn: "root" })
export class Session {
  readonly user = signal<string | null>(null);
}

export const signedIn: CanActivateFn = (_route, state) => {
  const router = inject(Router);
  if (inject(Session).user() !== null) return true;
  return new RedirectCommand(router.createUrlTree(["/login"], { queryParams: { next: state.url } }));
};

@Component({ selector: "app-orders", template: "Orders" })
class Orders {}

@Component({ selector: "app-login", template: `<button (click)="signIn()">Sign in</button>` })
class Login {
  private readonly router = inject(Router);
  private readonly session = inject(Session);
  readonly next = input<string>(); // the query parameter, with withComponentInputBinding()

  async signIn() {
    this.session.user.set("Ada"); // your sign-in
    await this.router.navigateByUrl(this.next() || "/orders"); // stays inside: location.assign would not
  }
}

export const routes: Routes = [
  { path: "login", component: Login },
  { path: "orders", component: Orders, canActivate: [signedIn] },
];

// snippet:check
configure(provideRouter(routes, withComponentInputBinding()));
const harness = await RouterTestingHarness.create("/orders?page=2");
const show = () => console.log(TestBed.inject(Router).url, text(harness.routeNativeElement));
show();
const click = async () => { harness.routeNativeElement!.querySelector("button")!.click(); await harness.fixture.whenStable(); };
await click();
show();
for (const next of ["https://evil.test/", "//evil.test/"]) {
  await harness.navigateByUrl(`/login?next=${encodeURIComponent(next)}`);
  const left = await (harness.routeDebugElement!.componentInstance as { signIn(): Promise<void> }).signIn().then(() => "gone", () => "stayed");
  console.log(`${next}: ${left}, ${window.location.host}`);
}
process.exit();
