// Pictures of a running Lectern for the documentation:
//     ./lectern up --demo        and in frontend/, with the e-mail and the password of its administrator:
//     LECTERN_EMAIL=... LECTERN_PASSWORD=... npm run screenshots [ADDRESS]
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

const url = (process.argv[2] ?? "http://127.0.0.1:8000").replace(/\/$/, "");
const folder = join(import.meta.dirname, "..", "..", "docs", "images");
const QUALITY = 72;
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const APPEARANCES = [
  { size: "desktop", scheme: "light" },
  { size: "desktop", scheme: "dark" },
  { size: "phone", scheme: "light" },
  { size: "phone", scheme: "dark" },
];
const QUESTION = "For how many years are records kept after the end of the relationship?";
const TABLE_QUESTION = "How long are camera images kept?";
const HEADERS = { "X-Requested-With": "lectern" };

const executablePath = [process.env.LECTERN_CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path && existsSync(path),
);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

async function signedIn() {
  const context = await browser.newContext();
  const data = {
    email: process.env.LECTERN_EMAIL,
    password: process.env.LECTERN_PASSWORD,
    use_cookies: true,
  };
  const response = await context.request.post(`${url}/api/v1/auth/sign-in`, { headers: HEADERS, data });
  if (!response.ok()) throw new Error(`${url} answered the sign-in with ${response.status()}`);
  return context;
}

/** Each picture: where it is, and what must be there before it is taken. */
async function screens(context) {
  const found = await context.request.post(`${url}/api/v1/search`, {
    headers: HEADERS,
    data: { query: QUESTION, top_k: 1 },
  });
  const [hit] = (await found.json()).data;
  const { document_id: id, page_number: page, snippet } = hit;
  const passage = new URLSearchParams({ page, start: snippet.char_start, end: snippet.char_end });
  const drawn = ".pdfViewer .page[data-loaded=true] .lectern-highlights";
  return [
    { name: "home", path: "/home", ready: "main [data-state=shown]" },
    { name: "documents", path: "/documents", ready: "tbody tr, main li" },
    { name: "document", path: `/documents/${id}?${passage}`, ready: drawn },
    { name: "search", path: `/search?q=${encodeURIComponent(QUESTION)}`, ready: "blockquote" },
    { name: "ask", path: `/ask?q=${encodeURIComponent(TABLE_QUESTION)}`, ready: drawn },
  ];
}

async function takePicture(page, file) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  await writeFile(file, Buffer.from(data, "base64"));
  await session.detach();
}

await mkdir(folder, { recursive: true });
const context = await signedIn();
const cookies = await context.cookies();
for (const { size, scheme } of APPEARANCES) {
  const window = await browser.newContext({
    viewport: SIZES[size],
    colorScheme: scheme,
    locale: "en-GB",
    reducedMotion: "reduce",
    hasTouch: size === "phone",
  });
  await window.addCookies(cookies);
  window.setDefaultTimeout(120_000);
  const page = await window.newPage();
  for (const { name, path, ready } of await screens(context)) {
    await page.goto(`${url}${path}`);
    await page.locator(ready).first().waitFor();
    await page.locator("[role=status][aria-label], [aria-busy=true]").first().waitFor({ state: "hidden" });
    await page.evaluate(() => document.fonts.ready);
    await page.waitForFunction(() =>
      [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
    );
    await page.mouse.move(0, 0);
    await takePicture(page, join(folder, `${name}-${size}-${scheme}.webp`));
  }
  await window.close();
}
await browser.close();
