import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { ask, documentsNamed } from "../support/api";
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
export const QUESTION = "When must a customer's identity be verified?";
const TAGS = {
  aml: { color: "#1f6f8b", description: "Anti-money laundering and knowing one's customers" },
  policy: { color: "#a9412b", description: "Rules that bind everybody here" },
};
const PATIENT = { timeout: 120_000 };

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
  if (!(await has("/users", READER.name))) await post("/users", { ...READER, role: "reader" });
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
}

/** A document that a scene moves to the trash is there again for the next window. */
export const putBack = (stack: Stack, name: string): Promise<void> =>
  send(stack, name, Buffer.from("# A passing remark\n\nThe tide is out."));

async function send(stack: Stack, name: string, body: Buffer): Promise<void> {
  await ask(stack, `/documents?filename=${name}`, { method: "POST", body: new Uint8Array(body) });
  const settled = async () => ["ready", "failed"].includes((await documentsNamed(stack, name))[0]?.status ?? "");
  await expect.poll(settled, PATIENT).toBe(true);
}
