// snippet:doc https://docs.cypress.io/api/commands/session cy.session
// snippet:about Cypress
// cypress/e2e/orders.cy.ts; in cypress.config.ts: on("task", { password: () => process.env["TEST_PASSWORD"] })
function signIn(email: string) {
  cy.session(
    email,
    () => {
      cy.task("password", null, { log: false }).then((password) => {
        const body = { email, password };
        cy.request({ method: "POST", url: "/api/sign-in", body, log: false, failOnStatusCode: false })
          .its("status", { log: false }).should("equal", 200);
      });
    },
    {
      validate: () => {
        cy.request("/api/me").its("body.email").should("equal", email); // 401 fails, too
      },
      cacheAcrossSpecs: true,
    },
  );
}

describe("orders", () => {
  beforeEach(() => {
    signIn("ada@example.com");
    cy.visit("/orders"); // cy.session leaves a blank page
  });

  it("shows whose orders they are", () => {
    cy.contains("h1", "Orders of Ada").should("be.visible");
  });

  it("opens an order", () => {
    cy.contains("a", "Order 17").click();
    cy.location("pathname").should("equal", "/orders/17");
  });
});
