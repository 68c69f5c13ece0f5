// snippet:doc https://docs.cypress.io/api/commands/clock cy.clock
// snippet:about Cypress
// cypress/e2e/idle.cy.ts
const MINUTE = 60_000;

describe("an idle session", () => {
  beforeEach(() => {
    cy.clock(Date.UTC(2026, 2, 2, 8)); // 2 March, 8:00 UTC: the months begin at 0
    cy.visit("/orders");
    cy.get("h1").should("be.visible"); // the page has started
  });

  it("ends after 30 minutes", () => {
    cy.tick(25 * MINUTE - 1);
    cy.get("[role=alert]").should("not.exist");
    cy.tick(1);
    cy.get("[role=alert]").should("have.text", "You will be signed out in 5 minutes.");
    cy.tick(5 * MINUTE);
    cy.location("pathname").should("equal", "/sign-in");
  });

  it("begins to count anew after a key press", () => {
    cy.tick(29 * MINUTE);
    cy.get("[role=alert]").should("be.visible");
    cy.get("body").type("{shift}");
    cy.get("[role=alert]").should("not.exist");
    cy.tick(25 * MINUTE); // 54 minutes after the start
    cy.get("[role=alert]").should("have.text", "You will be signed out in 5 minutes.");
  });
});
