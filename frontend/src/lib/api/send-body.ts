import { ApiProblem } from "./problem";

/** A connection without traffic for so long is dead. */
const STALL_MS = 60_000;

export interface Sending {
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

export interface Target {
  method: "POST" | "PUT";
  url: string;
}

/**
 * Send one file as it is; what was answered. Rejects with an ApiProblem, of status 0 when no answer came, and with an
 * AbortError. XMLHttpRequest, because `fetch` does not tell how much of a body has been sent.
 */
export function sendBody<Answer>(
  { method, url }: Target,
  file: File,
  { onProgress, signal }: Sending,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.setRequestHeader("X-Requested-With", "lectern");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    const stall = watchForStall(() => {
      reject(unreachable());
      request.abort();
    });
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      stall.postpone();
      onProgress(total ? loaded / total : 0);
    });
    request.addEventListener("load", () => settle<Answer>(request, resolve, reject));
    request.addEventListener("error", () => reject(unreachable()));
    request.addEventListener("abort", () => reject(new DOMException("Cancelled", "AbortError")));
    request.addEventListener("loadend", stall.end);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
    stall.postpone();
  });
}

function watchForStall(onStall: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => clearTimeout(timer);
  const postpone = () => {
    end();
    timer = setTimeout(onStall, STALL_MS);
  };
  return { postpone, end };
}

function unreachable(): ApiProblem {
  return new ApiProblem({ status: 0, code: "unreachable", title: "", detail: "" });
}

function settle<Answer>(
  request: XMLHttpRequest,
  resolve: (answer: Answer) => void,
  reject: (error: ApiProblem) => void,
) {
  const body = parse(request.responseText);
  if (request.status < 300 && body) {
    resolve(body as Answer);
    return;
  }
  const code = typeof body?.code === "string" ? body.code : `http_${request.status}`;
  reject(new ApiProblem({ title: "", detail: "", ...body, status: request.status, code }));
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
