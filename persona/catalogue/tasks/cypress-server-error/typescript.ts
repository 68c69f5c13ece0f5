// snippet:doc https://docs.cypress.io/api/commands/intercept cy.intercept
// snippet:about Cypress
// cypress/e2e/server-error.cy.ts
describe("when the server fails", () => {
  beforeEach(() => {
    cy.intercept("GET", "/api/orders", { body: [{ id: 17, title: "Tea" }] }).as("second");
    cy.intercept({ method: "GET", url: "/api/orders", times: 1 }, { statusCode: 503 }).as("first");
    cy.visit("/orders");
    cy.wait("@first").its("response.statusCode").should("equal", 503);
  });

  it("says so, and shows the orders after another attempt", () => {
    cy.get("[role=alert]").should("be.visible").and("contain.text", "could not be loaded");
    cy.contains("button", "Try again").click();
    cy.wait("@second");
    cy.get("[role=alert]").should("not.exist");
    cy.contains("li", "Tea").should("be.visible");
  });
});
