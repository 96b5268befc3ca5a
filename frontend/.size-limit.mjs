import { readFileSync } from "node:fs";

// index.html names every file that the documents page loads
const html = readFileSync("dist/index.html", "utf8");
const firstLoad = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => `dist/${file}`);
const isFont = (file) => file.endsWith(".woff2");

export default [
  {
    name: "documents page, first load",
    path: firstLoad.filter((file) => !isFont(file)),
    limit: "290 KB",
    brotli: true,
  },
  { name: "fonts", path: firstLoad.filter(isFont), limit: "120 KB", brotli: false },
  { name: "PDF viewer, on top", path: "dist/assets/pdf-viewer-*.{js,css}", limit: "190 KB", brotli: true },
];
