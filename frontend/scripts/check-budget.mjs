// What a person's browser fetches before the documents page, and on top of it before a PDF, compressed with brotli.
// `--record` writes what each chunk weighs now beside the limits, so that a later failure can name the one that grew.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const folder = process.argv.slice(2).find((given) => !given.startsWith("--"));
const dist = folder ?? join(import.meta.dirname, "..", "dist");
const budgetFile = join(import.meta.dirname, "budget.json");
const manifest = JSON.parse(await readFile(join(dist, ".vite", "manifest.json"), "utf-8"));
const budget = JSON.parse(await readFile(budgetFile, "utf-8"));

// An entry's own files and those of everything it imports at once; what it loads later does not count.
function filesOf(entry, found = new Map()) {
  const chunk = manifest[entry];
  if (!chunk) throw new Error(`The build has no ${entry}: is its name in scripts/budget.json still right?`);
  if (found.has(chunk.file)) return found;
  found.set(chunk.file, nameOf(entry, chunk));
  for (const style of chunk.css ?? []) found.set(style, `${nameOf(entry, chunk)} (styles)`);
  for (const imported of chunk.imports ?? []) filesOf(imported, found);
  return found;
}

const nameOf = (entry, { name, src }) => src ?? name ?? entry;

async function weigh(file) {
  const content = await readFile(join(dist, file));
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
const loaded = new Set();
let isOver = false;
for (const [name, part] of Object.entries(budget)) {
  const weights = {};
  for (const entry of part.entries) {
    for (const [file, chunk] of filesOf(entry)) {
      if (loaded.has(file)) continue;
      loaded.add(file);
      weights[chunk] = (weights[chunk] ?? 0) + (await weigh(file));
    }
  }
  const total = Object.values(weights).reduce((sum, bytes) => sum + bytes, 0);
  console.log(`${name}: ${kilobytes(total)} of ${kilobytes(part.limit_bytes)}`);
  if (total > part.limit_bytes) {
    isOver = true;
    const growth = ([chunk, bytes]) => bytes - (part.chunks[chunk] ?? 0);
    const grown = Object.entries(weights).sort((a, b) => growth(b) - growth(a));
    console.error(`${name} is ${kilobytes(total - part.limit_bytes)} over its budget. What grew most:`);
    for (const [chunk, bytes] of grown.slice(0, 8)) {
      console.error(`  ${chunk}: ${kilobytes(bytes)}, was ${kilobytes(part.chunks[chunk] ?? 0)}`);
    }
  }
  part.chunks = Object.fromEntries(Object.entries(weights).sort(([a], [b]) => a.localeCompare(b)));
}
if (process.argv.includes("--record")) await writeFile(budgetFile, `${JSON.stringify(budget, null, 2)}\n`);
process.exitCode = isOver ? 1 : 0;
