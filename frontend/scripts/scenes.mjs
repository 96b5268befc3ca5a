// Pictures of every screen, dialog and state in both languages, sizes and schemes, to be looked at:
//     npm run build && npm run scenes -- FOLDER [NAMES]
// NAMES is a regular expression of scenes (e2e/scenes/); without it all of them are photographed, which takes a quarter
// of an hour. What follows is for vitest: -t "it on a phone".
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

const [folder, only = "", ...more] = process.argv.slice(2);
if (!folder) throw new Error("name the folder for the pictures: npm run scenes -- FOLDER [NAMES]");
const frontend = join(import.meta.dirname, "..");
const { status } = spawnSync(
  process.execPath,
  [
    join(frontend, "node_modules", "vitest", "vitest.mjs"),
    ...["run", "--config", join(frontend, "e2e", "scenes", "vitest.config.ts"), ...more],
  ],
  {
    stdio: "inherit",
    env: { ...process.env, LECTERN_SCENES_FOLDER: resolve(folder), LECTERN_SCENES_ONLY: only },
  },
);
process.exitCode = status ?? 1;
