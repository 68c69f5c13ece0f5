// snippet:doc https://angular.dev/guide/http/interceptors Interceptors
// snippet:about Angular
// snippet:check
import { HttpClient, provideHttpClient, withInterceptors } from "@angular/common/http";
import { HttpTestingController, provideHttpClientTesting } from "@angular/common/http/testing";
import { configure, TestBed } from "./dom.js";
// snippet:prints https://api.example.com/orders: Bearer abc
// snippet:prints https://api.example.com.evil.test/orders: none
// snippet:prints //evil.test/https://api.example.com/: none
// snippet:prints https://api.example.com@evil.test/: none
// snippet:prints http://api.example.com/orders: none
// snippet:prints /assets/logo.svg: none
// snippet:prints signed out: none
// snippet:needs Angular 20
// snippet:end
import { HttpInterceptorFn } from "@angular/common/http";
import { DOCUMENT, inject, Injectable, signal } from "@angular/core";

@Injectable({ providedIn: "root" })
export class Session {
  readonly token = signal<string | null>(null);
}

const api = "https://api.example.com";

export const withToken: HttpInterceptorFn = (request, next) => {
  const token = inject(Session).token();
  // Not baseURI, which does not exist when a server renders; a <base> must be of the page's own origin.
  const { origin } = new URL(request.url, inject(DOCUMENT).location.href);
  if (token === null || origin !== api) return next(request);
  return next(request.clone({ setHeaders: { Authorization: `Bearer ${token}` } }));
};

// main.ts: provideHttpClient(withInterceptors([withToken]))

// snippet:measures the token goes to the API and nowhere else
// snippet:check
configure(provideHttpClient(withInterceptors([withToken])), provideHttpClientTesting());
const session = TestBed.inject(Session);
session.token.set("abc");
function ask(url: string, name = url) {
  TestBed.inject(HttpClient).get(url).subscribe();
  const { request } = TestBed.inject(HttpTestingController).expectOne(url);
  console.log(`${name}: ${request.headers.get("Authorization") ?? "none"}`);
}
ask("https://api.example.com/orders");
ask("https://api.example.com.evil.test/orders");
ask("//evil.test/https://api.example.com/");
ask("https://api.example.com@evil.test/");
ask("http://api.example.com/orders");
ask("/assets/logo.svg");
session.token.set(null);
ask("https://api.example.com/orders", "signed out");
process.exit();
