import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The headless shell comes first: it draws no window around a page, which halves the work of loading one. */
const CANDIDATES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);
const ARGUMENTS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  "--font-render-hinting=none", // the headless shell would draw other letters than Chromium
];

function findChromium(): string {
  const found = [process.env.LECTERN_CHROMIUM, ...CANDIDATES].find((path) => path && existsSync(path));
  if (!found) {
    throw new Error("There is no Chromium: install it (apt install chromium) or name it in LECTERN_CHROMIUM.");
  }
  return found;
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: ARGUMENTS });
}
