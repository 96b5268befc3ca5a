import { readFileSync } from "node:fs";

// index.html names every file that the documents page loads
const html = readFileSync("dist/index.html", "utf8");
const firstLoad = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => `dist/${file}`);

export default [
  { name: "documents page, first load", path: firstLoad, limit: "320 KB", brotli: true },
  { name: "PDF viewer, on top", path: "dist/assets/pdf-viewer-*.{js,css}", limit: "190 KB", brotli: true },
];
