import { defineConfig } from "vitest/config";

/** Pictures of every screen, dialog and state, to be looked at: `npm run scenes FOLDER [NAMES]`. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: "scenes",
    include: ["*.scenes.ts"],
    globalSetup: "../support/global-setup.ts",
    environment: "node",
    hookTimeout: 240_000,
    teardownTimeout: 240_000,
  },
});
