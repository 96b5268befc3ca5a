import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Minutes rather than seconds: a loaded machine is slow, and only main-thread work is measured. */
const PATIENCE_MS = 240_000;
/** These break the connection, or fill the library: the others come before. */
const LAST = ["connection.e2e.ts", "large-library.e2e.ts"];
/** These compare pictures of the library as it begins. */
const FIRST = ["gallery.e2e.ts"];
/** These need Firefox and WebKit as well. */
const OTHER_ENGINES = "engines.e2e.ts";
/** These print numbers and test nothing. */
const MEASURED = "measure.e2e.ts";
const { LECTERN_E2E_ENGINES: engines, LECTERN_E2E_MEASURE: measure } = process.env;

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      LAST.indexOf(basename(moduleId)) - 2 * FIRST.filter((name) => name === basename(moduleId)).length;
    return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: "e2e",
    include: ["*.e2e.ts"],
    exclude: [...(engines ? [] : [OTHER_ENGINES]), ...(measure ? [] : [MEASURED])],
    globalSetup: "./support/global-setup.ts",
    environment: "node",
    fileParallelism: false,
    isolate: false, // one process and one Chromium for all files
    sequence: { sequencer: InOrder },
    retry: 1, // a browser that stalls on a crowded machine is not a fault of the UI; what is broken fails twice
    testTimeout: PATIENCE_MS,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: PATIENCE_MS,
    teardownTimeout: PATIENCE_MS,
  },
});
