import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { launch } from "puppeteer-core";
import { freePort } from "./stack";

/** A window of a browser other than Chromium, with the few things that these tests do in it. */
export interface EngineWindow {
  go: (url: string) => Promise<void>;
  /** Type into the element at a CSS selector. */
  type: (selector: string, text: string) => Promise<void>;
  click: (selector: string) => Promise<void>;
  /** The value of an expression in the page. */
  evaluate: <T>(expression: string) => Promise<T>;
  /** Errors of the console, where the browser reports them. */
  complaints: string[];
  close: () => Promise<void>;
}

const SIZE = { width: 1280, height: 800 };
const FIREFOX = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];
const MINI_BROWSER = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/libexec"].flatMap((folder) =>
  ["webkit2gtk-4.1", "webkit2gtk-4.0"].map((version) => `${folder}/${version}/MiniBrowser`),
);
const START_MS = 30_000;
/** The key of an element in WebDriver, fixed by its standard. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

function find(paths: string[], packages: string): string {
  const found = paths.find((path) => existsSync(path));
  if (!found) throw new Error(`The browser is missing: apt install ${packages}`);
  return found;
}

/** Firefox, over WebDriver BiDi. */
export async function openFirefox(): Promise<EngineWindow> {
  const executablePath = find(FIREFOX, "firefox-esr");
  const browser = await launch({ browser: "firefox", executablePath, headless: true });
  const page = await browser.newPage();
  await page.setViewport(SIZE);
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  return {
    complaints,
    go: async (url) => {
      await page.goto(url);
    },
    type: (selector, text) => page.type(selector, text),
    click: (selector) => page.click(selector),
    evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
    close: () => browser.close(),
  };
}

/** WebKitGTK, over WebDriver, on a display of its own. */
export async function openWebKit(): Promise<EngineWindow> {
  const binary = find(MINI_BROWSER, "webkit2gtk-driver xvfb");
  const display = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1000x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const number = await new Promise<string>((resolve, reject) => {
    display.once("error", reject);
    display.stdio[3]?.once("data", (data: Buffer) => resolve(data.toString().trim()));
  });
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
    stdio: "ignore",
    env: { ...process.env, DISPLAY: `:${number}` },
  });
  const children: ChildProcess[] = [driver, display];
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: T };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await answers(() => call("GET", "/status"));
  const options = { "webkitgtk:browserOptions": { binary, args: ["--automation"] } };
  const { sessionId } = await call<{ sessionId: string }>("POST", "/session", {
    capabilities: { alwaysMatch: options },
  });
  const at = `/session/${sessionId}`;
  await call("POST", `${at}/window/rect`, { x: 0, y: 0, ...SIZE });
  const element = async (selector: string) => {
    const found = await call<Record<string, string>>("POST", `${at}/element`, {
      using: "css selector",
      value: selector,
    });
    return `${at}/element/${found[ELEMENT]}`;
  };
  return {
    complaints: [],
    go: (url) => call("POST", `${at}/url`, { url }),
    type: async (selector, text) => call("POST", `${await element(selector)}/value`, { text }),
    click: async (selector) => call("POST", `${await element(selector)}/click`, {}),
    evaluate: <T>(expression: string) =>
      call<T>("POST", `${at}/execute/sync`, { script: `return ${expression}`, args: [] }),
    close: async () => {
      await call("DELETE", at).catch(() => undefined); // the driver ends below, with or without its session
      for (const child of children) child.kill();
    },
  };
}

/** Wait until a call succeeds. */
async function answers(call: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + START_MS;
  for (;;) {
    try {
      await call();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await wait(100);
    }
  }
}
