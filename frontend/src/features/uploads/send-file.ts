import { ApiProblem } from "@/lib/api/problem";
import { type Sending, sendBody } from "@/lib/api/send-body";
import type { UploadOptions, UploadResult } from "./upload-item";

/** The address that takes a file as the body of the request. */
function uploadUrl(filename: string, { collection, tags, language }: UploadOptions): string {
  const query = new URLSearchParams({ filename });
  for (const tag of tags) query.append("tags", tag);
  if (collection) query.set("collection", collection);
  if (language) query.set("language", language);
  return `/api/v1/documents?${query}`;
}

/** Send one file as it is, as a document. Rejects as `sendBody` does. */
export async function sendFile(file: File, options: UploadOptions, sending: Sending): Promise<UploadResult> {
  const target = { method: "POST", url: uploadUrl(file.name, options) } as const;
  const { items } = await sendBody<{ items?: UploadResult[] }>(target, file, sending);
  const result = items?.[0];
  if (!result) throw new ApiProblem({ status: 200, code: "http_200", title: "", detail: "" });
  return result;
}
