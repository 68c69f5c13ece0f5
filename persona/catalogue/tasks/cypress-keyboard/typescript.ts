// snippet:doc https://docs.cypress.io/api/commands/press cy.press
// snippet:about Cypress
// snippet:needs Cypress 15.1
// cypress/e2e/keyboard.cy.ts
const { TAB, SPACE } = Cypress.Keyboard.Keys;

describe("with the keyboard", () => {
  beforeEach(() => {
    cy.visit("/sign-in");
  });

  it("goes through the form from top to bottom", () => {
    cy.get("input[name=email]").focus();
    for (const name of ["password", "remember"]) {
      cy.press(TAB);
      cy.focused().should("have.attr", "name", name);
    }
    cy.press(TAB);
    cy.focused().should("have.text", "Sign in");
  });

  it("comes back from the dialog to its button", () => {
    cy.contains("button", "Help").click();
    cy.get("dialog").should("be.visible");
    cy.focused().should("have.text", "Close");
    cy.press(SPACE);
    cy.get("dialog").should("not.be.visible");
    cy.focused().should("have.text", "Help");
  });
});
