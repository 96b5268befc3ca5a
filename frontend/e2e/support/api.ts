import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { components } from "../../src/lib/api/schema";
import type { Stack } from "./stack";

export type Document = components["schemas"]["DocumentResponse"];
type Documents = components["schemas"]["Page_DocumentResponse_"];
type SignedIn = components["schemas"]["SignInResponse"];

const tokens = new Map<string, string>();

/** One sign-in for each file of tests: a token expires after minutes. */
async function tokenOf(stack: Stack): Promise<string> {
  const key = `${stack.url} ${expect.getState().testPath}`;
  const known = tokens.get(key);
  if (known) return known;
  const response = await fetch(`${stack.url}/api/v1/auth/sign-in`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Requested-With": "e2e" },
    body: JSON.stringify({ email: stack.email, password: stack.password, use_cookies: false }),
  });
  const { access_token } = (await response.json()) as SignedIn;
  if (!access_token) throw new Error(`sign-in was answered with ${response.status}`);
  tokens.set(key, access_token);
  return access_token;
}

/** Requests to the API, to compare with the UI. */
export async function ask<Answer>(stack: Stack, path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { Authorization: `Bearer ${await tokenOf(stack)}`, "Content-Type": "application/json" };
  const response = await fetch(`${stack.url}/api/v1${path}`, { ...init, headers });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

/** The documents whose title or filename holds `text`, those in the trash left out. */
export async function documentsNamed(stack: Stack, text: string): Promise<Document[]> {
  const { items } = await ask<Documents>(stack, `/documents?limit=200&q=${encodeURIComponent(text)}`);
  return items;
}

const PATIENT = { timeout: 120_000 };

/** Add one of the made documents, if it is not there, and wait until it can be read. */
export async function added(stack: Stack, name: string): Promise<Document> {
  const find = async () => (await documentsNamed(stack, name)).find(({ filename }) => filename === name);
  if (!(await find())) {
    const body = new Uint8Array(await readFile(join(stack.documents, name)));
    await ask(stack, `/documents?filename=${name}`, { method: "POST", body });
  }
  await expect.poll(async () => (await find())?.status, PATIENT).toBe("ready");
  return (await find()) as Document;
}
