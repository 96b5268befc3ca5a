import { afterEach, expect, it, vi } from "vitest";
import { type AnswerSoFar, readAnswer } from "./answer-stream";

const SENTENCE = { text: "Two years.", citations: [1] };
const CITATION = { number: 1, document: "policy.pdf" };
const END = { data: { answer_found: true, sentences: [SENTENCE], citations: [CITATION] }, metadata: {} };
const QUESTION = { question: "How long?" } as Parameters<typeof readAnswer>[0];

afterEach(() => {
  vi.unstubAllGlobals();
});

function answerWith(events: [string, unknown][]) {
  const text = events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join("");
  vi.stubGlobal("fetch", async () => {
    // cut anywhere, as a network does
    const bytes = new TextEncoder().encode(text);
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
        controller.close();
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  });
}

async function read() {
  const parts: AnswerSoFar[] = [];
  const { signal } = new AbortController();
  const answer = await readAnswer(QUESTION, { signal, onPart: (part) => parts.push(part) });
  return { parts, answer };
}

it("tells of each sentence as it comes, and of the citations before the sentence that names them", async () => {
  answerWith([
    ["retrieval", { sources: [{ document: "policy.pdf" }] }],
    ["citation", CITATION],
    ["token", SENTENCE],
    ["end", END],
  ]);
  const { parts, answer } = await read();
  expect(parts.map(({ citations, sentences }) => [citations.length, sentences.length])).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
    [1, 1],
  ]);
  expect(answer.response).toEqual(END);
});

it("says what the API says went wrong on the way", async () => {
  answerWith([["problem", { status: 502, code: "chat_unavailable", title: "", detail: "The model is away." }]]);
  await expect(read()).rejects.toThrow("The model is away.");
});

it("fails when the answer breaks off", async () => {
  answerWith([["token", SENTENCE]]);
  await expect(read()).rejects.toMatchObject({ status: 0 });
});
