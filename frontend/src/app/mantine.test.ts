import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("has the stylesheets of the Mantine components in use: node scripts/mantine-styles.mjs > src/app/mantine.css", () => {
  const wanted = execFileSync(process.execPath, ["scripts/mantine-styles.mjs"], { encoding: "utf8" });
  expect(readFileSync("src/app/mantine.css", "utf8")).toBe(wanted);
});

it('has the others where their components are used: import "@mantine/core/styles/NAME.css"', () => {
  const missing = execFileSync(process.execPath, ["scripts/mantine-styles.mjs", "--missing"], {
    encoding: "utf8",
  });
  expect(missing).toBe("");
});
