import { completeSentence } from "@/lib/i18n/problem-text";

/** Say why a delivery failed. The code `http_503` has the status of the endpoint. */
export function failureText(code: string): string {
  const status = /^http_(\d+)$/.exec(code)?.[1];
  const key = status ? (status.startsWith("3") ? "redirect" : "http") : code;
  return completeSentence("webhooks", `failure.${key}`, { status }) ?? code;
}
