// snippet:doc https://docs.cypress.io/api/commands/wait cy.wait
// snippet:about Cypress
// cypress/e2e/order.cy.ts
it("sends one order with its items", () => {
  cy.intercept("POST", "/api/orders", { statusCode: 201, body: { id: 17 }, delay: 200 }).as("order");

  cy.visit("/order");
  cy.get("input[name=item]").type("Tea");
  cy.get("input[name=quantity]").clear();
  cy.get("input[name=quantity]").type("2"); // looked up anew: the page may have drawn it again
  cy.contains("button", "Order").dblclick();

  cy.wait("@order").then(({ request }) => {
    expect(request.headers["content-type"]).to.match(/^application\/json/);
    expect(request.body).to.deep.equal({ items: [{ name: "Tea", quantity: 2 }] });
  });
  cy.contains("Order 17 is on its way").should("be.visible");
  cy.get("@order.all").should("have.length", 1);
});
