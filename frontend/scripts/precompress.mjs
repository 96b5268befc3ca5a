// Writes .br and .gz beside every text file of the build, so that no server compresses the same bytes twice.
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = join(import.meta.dirname, "..", "dist");
const compressible = /\.(html|js|mjs|css|svg|json|wasm|txt)$/;

for (const name of await readdir(root, { recursive: true })) {
  const path = join(root, name);
  if (!compressible.test(name) || (await stat(path)).size < 1024) continue;
  const content = await readFile(path);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  await writeFile(`${path}.br`, brotliCompressSync(content, quality));
  await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
}
