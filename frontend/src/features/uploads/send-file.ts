import { ApiProblem } from "@/lib/api/problem";
import type { UploadOptions, UploadResult } from "./upload-item";

/** Nothing was sent, and nothing came back, for so long: the connection is dead, whatever the browser thinks. */
const STALL_MS = 60_000;

export interface Sending {
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** The address that takes a file as the body of the request. */
export function uploadUrl(filename: string, { collection, tags, language }: UploadOptions): string {
  const query = new URLSearchParams({ filename });
  for (const tag of tags) query.append("tags", tag);
  if (collection) query.set("collection", collection);
  if (language) query.set("language", language);
  return `/api/v1/documents?${query}`;
}

/**
 * Send one file as it is. Rejects with an ApiProblem, of status 0 when no answer came, and with an AbortError.
 * XMLHttpRequest, because `fetch` does not tell how much of a body has been sent.
 */
export function sendFile(
  file: File,
  options: UploadOptions,
  { onProgress, signal }: Sending,
): Promise<UploadResult> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", uploadUrl(file.name, options));
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
    request.addEventListener("load", () => settle(request, resolve, reject));
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

function settle(
  request: XMLHttpRequest,
  resolve: (result: UploadResult) => void,
  reject: (error: ApiProblem) => void,
) {
  const body = parse(request.responseText);
  const result = (body.items as UploadResult[] | undefined)?.[0];
  if (request.status < 300 && result) {
    resolve(result);
    return;
  }
  const code = typeof body.code === "string" ? body.code : `http_${request.status}`;
  reject(new ApiProblem({ title: "", detail: "", ...body, status: request.status, code }));
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
