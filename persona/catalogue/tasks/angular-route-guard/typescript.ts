// snippet:doc https://angular.dev/guide/routing/route-guards Route guards
// snippet:about Angular
// snippet:check
import { RouterTestingHarness } from "@angular/router/testing";
import { provideRouter } from "@angular/router";
import { configure, TestBed, text } from "./dom.js";
// snippet:prints /login?next=%2Forders%3Fpage%3D2 Please sign in
// snippet:prints /orders?page=2 Orders
// snippet:needs Angular 20
// snippet:end
import { Component, inject, Injectable, signal } from "@angular/core";
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

@Component({ selector: "app-login", template: "Please sign in" })
class Login {}

export const routes: Routes = [
  { path: "login", component: Login },
  { path: "orders", component: Orders, canActivate: [signedIn] },
];

// snippet:check
configure(provideRouter(routes));
const harness = await RouterTestingHarness.create("/orders?page=2");
const show = () => console.log(TestBed.inject(Router).url, text(harness.routeNativeElement));
show();
TestBed.inject(Session).user.set("Ada");
await harness.navigateByUrl(TestBed.inject(Router).parseUrl(TestBed.inject(Router).url).queryParams["next"]);
show();
process.exit();
