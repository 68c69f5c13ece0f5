// snippet:doc https://docs.cypress.io/api/commands/stub cy.stub
// snippet:about Cypress
// cypress/e2e/nearest-shop.cy.ts
function visitShops(answer: (done: PositionCallback, failed?: PositionErrorCallback | null) => void) {
  cy.visit("/shops", {
    onBeforeLoad({ navigator }) {
      cy.stub(navigator.geolocation, "getCurrentPosition").as("locate").callsFake(answer);
    },
  });
  cy.contains("button", "Near me").click();
  cy.get("@locate").should("have.been.calledOnce");
}

it("shows the shop that is nearest", () => {
  const coords = { latitude: 48.2082, longitude: 16.3738, accuracy: 20 };
  visitShops((done) => done({ coords, timestamp: Date.now() } as GeolocationPosition));
  cy.get("li").first().should("contain.text", "Vienna");
});

it("asks for a place when the position is refused", () => {
  const refusal = { code: 1, PERMISSION_DENIED: 1, message: "denied" }; // pages compare the two
  visitShops((_done, failed) => failed?.(refusal as GeolocationPositionError));
  cy.get("input[name=place]").should("be.visible").and("be.focused");
});
