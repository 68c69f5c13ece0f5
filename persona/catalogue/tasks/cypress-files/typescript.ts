// snippet:doc https://docs.cypress.io/api/commands/selectfile selectFile
// snippet:about Cypress
// cypress/e2e/files.cy.ts
const file = {
  contents: Cypress.Buffer.from("name;cents\nTea;350\n"),
  fileName: "prices.csv",
  mimeType: "text/csv",
};

describe("prices", () => {
  beforeEach(() => {
    cy.visit("/prices");
  });

  it("are read from a chosen file", () => {
    cy.get("input[type=file]").selectFile(file);
    cy.contains("td", "Tea").should("be.visible");
  });

  it("are read from a dropped file", () => {
    cy.get("[data-cy=drop]").selectFile(file, { action: "drag-drop" });
    cy.contains("td", "Tea").should("be.visible");
  });

  it("come back as a file", () => {
    cy.get("input[type=file]").selectFile(file);
    cy.contains("td", "Tea").should("be.visible"); // the page has read it
    cy.contains("button", "Export").click();
    cy.readFile(`${Cypress.config("downloadsFolder")}/prices.csv`).should("equal", "name;cents\nTea;350\n");
  });
});
