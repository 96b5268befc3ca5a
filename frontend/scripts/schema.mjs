// Types of the API, without what no caller reads: titles, which repeat the names, headers, and what an operation lacks.
// Problems are written once.
//     npm run gen
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";

const root = join(import.meta.dirname, "..");
const description = await readFile(join(root, "..", "api", "openapi.json"), "utf-8");
const api = JSON.parse(description, (name, value) =>
  name === "title" && typeof value === "string" ? undefined : value,
);
for (const { responses } of Object.values(api.paths).flatMap(Object.values)) {
  if (!responses.default?.content["application/problem+json"]) continue;
  api.components.responses = { Problem: responses.default };
  responses.default = { $ref: "#/components/responses/Problem" };
}
const METHODS = "get|put|post|delete|options|head|patch|trace";
const UNREAD = [
  new RegExp(String.raw`\n {8}parameters: \{(?:\n {12}\w+\?: never;)+\n {8}\};(?=\n {8}(?:/|${METHODS}))`, "g"),
  new RegExp(String.raw`\n {8}(?:${METHODS})\?: never;`, "g"),
  /\n {16}headers: \{\n {20}\[name: string\]: unknown;\n {16}\};/g,
  /\n {12}(?:header|path|cookie)\?: never;/g,
  /\n {8}requestBody\?: never;/g,
  /\n {12}\/\*\* @description Successful Response \*\//g,
];
const types = UNREAD.reduce((text, part) => text.replaceAll(part, ""), astToString(await openapiTS(api)));
await writeFile(
  join(root, "src", "lib", "api", "schema.d.ts"),
  `// Generated from api/openapi.json by scripts/schema.mjs; do not edit.\n\n${types}`,
);
