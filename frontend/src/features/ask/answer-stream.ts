import { EventSourceParserStream } from "eventsource-parser/stream";
import { api } from "@/lib/api/client";
import { ApiProblem, type ProblemDetails } from "@/lib/api/problem";
import type { components } from "@/lib/api/schema";

type Schemas = components["schemas"];
export type AnswerRequest = Schemas["AnswerRequest"];
export type AnswerResponse = Schemas["AnswerResponse"];
export type Citation = Schemas["Citation"];
export type ClosestSource = Schemas["ClosestSource"];
type Source = Omit<ClosestSource, "sentence" | "char_start" | "char_end">;
export type Sentence = Schemas["AnswerSentence"];
export type TraceStep = Schemas["TraceStep"];

/** The parts of an answer received so far. `response` comes at the end. */
export interface AnswerSoFar {
  rewritten?: string | null;
  sources: Source[] | null;
  sentences: Sentence[];
  citations: Citation[];
  response: AnswerResponse | null;
  /** Finished steps of an answer in several steps. */
  steps: TraceStep[];
}

export const NOTHING_YET: AnswerSoFar = { sources: null, sentences: [], citations: [], response: null, steps: [] };

/** Ask, and tell of each part as it comes. Rejects with an ApiProblem, also when the answer breaks off. */
export async function readAnswer(
  body: AnswerRequest,
  { signal, onPart }: { signal: AbortSignal; onPart: (soFar: AnswerSoFar) => void },
): Promise<AnswerSoFar> {
  const { data } = await api.POST("/api/v1/answers", {
    body: { ...body, stream: true },
    parseAs: "stream",
    signal,
  });
  let soFar = NOTHING_YET;
  const bytes = data as ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined;
  const reader = bytes?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    soFar = withEvent(soFar, part.value.event ?? "", JSON.parse(part.value.data));
    onPart(soFar);
  }
  if (!soFar.response) throw new ApiProblem({ status: 0, code: "broken_off", title: "", detail: "" });
  return soFar;
}

/** An answer with one more event of the stream; those that are not known are passed over. */
function withEvent(soFar: AnswerSoFar, event: string, data: unknown): AnswerSoFar {
  switch (event) {
    case "retrieval":
      return {
        ...soFar,
        sources: (data as { sources: Source[] }).sources,
        rewritten: (data as { rewritten_question: string | null }).rewritten_question,
      };
    case "step":
      return { ...soFar, steps: [...soFar.steps, data as TraceStep] };
    case "citation":
      return { ...soFar, citations: [...soFar.citations, data as Citation] };
    case "token":
      return { ...soFar, sentences: [...soFar.sentences, data as Sentence] };
    case "end": {
      const response = data as AnswerResponse;
      const { sentences, citations } = response.data;
      return { ...soFar, sentences, citations, response };
    }
    case "problem":
      throw new ApiProblem(data as ProblemDetails);
    default:
      return soFar;
  }
}
