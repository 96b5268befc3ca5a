import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { ask, documentsNamed } from "../support/api";
import type { Desk } from "../support/desk";
import type { Stack } from "../support/stack";

export const CLOSED = "Board papers";
export const LOCKED = "locked.pdf";
export const DAMAGED = "minutes-damaged.pdf";
export const DROPPED = "dropped.md";
export const PASSING = "passing.md";
const KEY = "Nightly report";
export const READER = {
  email: "grace@example.com",
  name: "Grace Hopper",
  password: "a-reader-of-papers-4711",
};
const AUDITOR = { email: "ada@example.com", name: "Ada Byron", password: "an-auditor-of-papers-4711" };
export const SHARED = "budget-2027.md";
const ASKED = "travel-and-expenses-policy";
const THREAD = ["What is the hotel limit per night in London?", "And in New York?"] as const;
const NOTE = "Branches verify the identity before the account is opened, says the audit of May.";
export const QUESTION = "When must a customer's identity be verified?";
const TAGS = {
  aml: { color: "#1f6f8b", description: "Anti-money laundering and knowing one's customers" },
  policy: { color: "#a9412b", description: "Rules that bind everybody here" },
};
const PATIENT = { timeout: 120_000 };

interface Answers {
  items: { question: string; thread_id: string }[];
}
interface Named {
  id: string;
  name: string;
}

/** Add content that scenes need and the samples lack. Existing content stays. */
export async function prepare(stack: Stack): Promise<void> {
  const post = <Answer>(path: string, body: unknown) =>
    ask<Answer>(stack, path, { method: "POST", body: JSON.stringify(body) });
  const has = async (path: string, name: string) =>
    (await ask<{ items: Named[] }>(stack, path)).items.some((one) => one.name === name);

  if (!(await has("/collections", CLOSED))) {
    const description = "What the board has seen and decided.";
    await post("/collections", { name: CLOSED, description, is_open: false });
  }
  for (const person of [READER, AUDITOR]) {
    if (!(await has("/users", person.name))) await post("/users", { ...person, role: "reader" });
  }
  if (!(await has("/keys", KEY))) await post("/keys", { name: KEY });
  const { items: tags } = await ask<{ items: Named[] }>(stack, "/tags?limit=200");
  for (const { id, name } of tags) {
    const known = TAGS[name as keyof typeof TAGS];
    if (known) await ask(stack, `/tags/${id}`, { method: "PATCH", body: JSON.stringify(known) });
  }

  const locked = await readFile(join(stack.documents, LOCKED));
  await send(stack, LOCKED, locked);
  await send(stack, DAMAGED, Buffer.concat([locked.subarray(0, 400), Buffer.alloc(4_000, "torn ")]));
  await send(stack, DROPPED, Buffer.from("# A dropped draft\n\nIt is wet."));
  for (const { id } of await documentsNamed(stack, DROPPED)) {
    await ask(stack, `/documents/${id}`, { method: "DELETE" });
  }
  await putBack(stack, PASSING);
  const [policy] = await documentsNamed(stack, "aml-kyc-policy");
  await post("/evaluations/golden", { query: QUESTION, document: policy?.id, page_number: 3 });
  const { items: notes } = await ask<{ items: unknown[] }>(stack, `/documents/${policy?.id}/notes`);
  const note = { char_start: 2_955, char_end: 3_145, text: NOTE, is_shared: true };
  if (notes.length === 0) await post(`/documents/${policy?.id}/notes`, note);
  await share(stack, tags);
}

/** A document that only some may read: it is shared with one person, and its tag with another. */
async function share(stack: Stack, tags: Named[]): Promise<void> {
  const text = "# Budget for 2027\n\nThe board has approved 4.2 million euros.";
  await send(stack, SHARED, Buffer.from(text), { collection: CLOSED, tags: "policy" });
  const [document] = await documentsNamed(stack, SHARED);
  const tag = tags.find(({ name }) => name === "policy");
  for (const [path, { email }] of [
    [`/documents/${document?.id}`, READER],
    [`/tags/${tag?.id}`, AUDITOR],
  ] as const) {
    await ask(stack, `${path}/grants`, { method: "PUT", body: JSON.stringify({ email }) });
  }
}

/** Ask a document two questions, the second about the first. Returns the address of the thread beside the document. */
export async function askTwice(stack: Stack): Promise<string> {
  const [document] = await documentsNamed(stack, ASKED);
  const post = (body: unknown) => ask(stack, "/answers", { method: "POST", body: JSON.stringify(body) });
  const [first, second] = THREAD;
  const find = async () =>
    (await ask<Answers>(stack, "/answers?limit=200")).items.find(({ question }) => question === first)?.thread_id;
  let thread = await find();
  if (!thread) {
    await post({ question: first, documents: [document?.id] });
    thread = await find();
    await post({ question: second, documents: [document?.id], thread_id: thread });
  }
  return `/documents/${document?.id}?panel=ask&thread=${thread}`;
}

/** Go on as somebody with whom a document is shared. */
export async function becomeReader({ page, stack }: Desk): Promise<void> {
  const { email, password } = READER;
  const body = { email, password, use_cookies: true };
  const url = `${stack.url}/api/v1/auth/sign-in`;
  await page.context().request.post(url, { headers: { "X-Requested-With": "e2e" }, data: body });
}

/** A document that a scene moves to the trash is there again for the next window. */
export const putBack = (stack: Stack, name: string): Promise<void> =>
  send(stack, name, Buffer.from("# A passing remark\n\nThe tide is out."));

async function send(stack: Stack, name: string, body: Buffer, place: Record<string, string> = {}): Promise<void> {
  await ask(stack, `/documents?${new URLSearchParams({ filename: name, ...place })}`, {
    method: "POST",
    body: new Uint8Array(body),
  });
  const settled = async () => ["ready", "failed"].includes((await documentsNamed(stack, name))[0]?.status ?? "");
  await expect.poll(settled, PATIENT).toBe(true);
}
