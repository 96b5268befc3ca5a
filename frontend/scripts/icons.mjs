// Icons of the installed app, drawn from public/lectern.svg:
//     npm run icons
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

const folder = join(import.meta.dirname, "..", "public");
const mark = await readFile(join(folder, "lectern.svg"), "utf-8");
/** A maskable icon is cut to a circle: its ground fills the square, and the mark stays within. */
const ICONS = [
  { name: "icon-192", size: 192, share: 1 },
  { name: "icon-512", size: 512, share: 1 },
  { name: "maskable-512", size: 512, share: 0.72, ground: "#1f4e5f" },
  { name: "apple-touch-180", size: 180, share: 0.86, ground: "#1f4e5f" },
];

const executablePath = [process.env.LECTERN_CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path && existsSync(path),
);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
await mkdir(join(folder, "icons"), { recursive: true });
for (const { name, size, share, ground = "transparent" } of ICONS) {
  await page.setViewportSize({ width: size, height: size });
  const side = Math.round(size * share);
  await page.setContent(
    `<body style="margin:0;height:100vh;display:grid;place-items:center;background:${ground}">` +
      `<div style="width:${side}px;height:${side}px">${mark}</div></body>`,
  );
  await page.screenshot({ path: join(folder, "icons", `${name}.png`), omitBackground: true });
}
await browser.close();
