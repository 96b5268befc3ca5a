// Types of the API without what no caller reads: titles, which repeat the names, methods that a path lacks, and headers:
//     npm run gen
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";

const root = join(import.meta.dirname, "..");
const description = await readFile(join(root, "..", "api", "openapi.json"), "utf-8");
const untitled = JSON.parse(description, (name, value) =>
  name === "title" && typeof value === "string" ? undefined : value,
);
const METHODS = "get|put|post|delete|options|head|patch|trace";
const UNREAD = [
  new RegExp(String.raw`\n {8}parameters: \{(?:\n {12}\w+\?: never;)+\n {8}\};(?=\n {8}(?:/|${METHODS}))`, "g"),
  new RegExp(String.raw`\n {8}(?:${METHODS})\?: never;`, "g"),
  /\n {16}headers: \{\n {20}\[name: string\]: unknown;\n {16}\};/g,
];
const types = UNREAD.reduce((text, part) => text.replaceAll(part, ""), astToString(await openapiTS(untitled)));
await writeFile(
  join(root, "src", "lib", "api", "schema.d.ts"),
  `// Generated from api/openapi.json by scripts/schema.mjs; do not edit.\n\n${types}`,
);
