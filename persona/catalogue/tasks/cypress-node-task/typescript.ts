// snippet:doc https://docs.cypress.io/api/commands/task cy.task
// snippet:into Save it as cypress.config.ts: npx cypress run.
// snippet:about Cypress
// cypress.config.ts; in the spec: beforeEach(() => { cy.task("clearDownloads"); });
import { mkdir, rm } from "node:fs/promises";
import { defineConfig } from "cypress";

export default defineConfig({
  e2e: {
    baseUrl: "http://localhost:3000",
    setupNodeEvents(on, config) {
      on("task", {
        async clearDownloads(): Promise<null> {
          await rm(config.downloadsFolder, { recursive: true, force: true });
          await mkdir(config.downloadsFolder, { recursive: true });
          return null;
        },
      });
    },
  },
});
