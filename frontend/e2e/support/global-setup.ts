import type { TestProject } from "vitest/node";
import { RunningStack, type Stack } from "./stack";

declare module "vitest" {
  interface ProvidedContext {
    stack: Stack;
  }
}

/** One stack for all files; LECTERN_E2E_STACK names one that runs already, while tests are written. */
export default async function setup(project: TestProject) {
  const given = process.env.LECTERN_E2E_STACK;
  if (given) {
    project.provide("stack", JSON.parse(given) as Stack);
    return;
  }
  const running = await RunningStack.start();
  project.provide("stack", running.stack);
  return () => running.stop();
}
