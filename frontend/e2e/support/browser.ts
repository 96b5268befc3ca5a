import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const ARGUMENTS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
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
