import { ApiProblem, type ProblemDetails } from "@/lib/api/problem";
import type { Sending } from "@/lib/api/send-body";
import { refreshSession } from "@/lib/api/session-refresh";
import { isWithinReach, sendFile } from "./upload-api";
import { followed, newItem, phaseOf, type UploadItem, type UploadOptions, type UploadResult } from "./upload-item";
import type { UploadList } from "./upload-list";

const AT_ONCE = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** A file that breaks the connection so often, while the API answers other requests, is not the network's fault. */
const MOST_BREAKS = 4;
const PASSING = [0, 401, 429, 502, 503, 504];

interface Work {
  file: File;
  abort: AbortController;
  breaks: number;
  pauses: number;
  timer?: ReturnType<typeof setTimeout>;
}

const newWork = (file: File): Work => ({ file, abort: new AbortController(), breaks: 0, pauses: 0 });

/** Sends the files of a list, three at a time; what breaks is sent again, which the API answers without doubling. */
export class UploadQueue {
  #work = new Map<string, Work>();

  constructor(readonly list: UploadList) {}

  /** Add files. One that a reload interrupted gets its line and options back. */
  add(entries: { file: File; options: UploadOptions }[]): void {
    let items = [...this.list.items];
    for (const { file, options } of entries) {
      const lost = items.find((item) => isSameFile(item, file));
      const item = newItem(file, lost?.options ?? options);
      items = lost ? items.map((one) => (one === lost ? item : one)) : [...items, item];
      this.#work.set(item.id, newWork(file));
    }
    this.list.set(items);
    this.#pump();
  }

  isLost(file: File): boolean {
    return this.list.items.some((item) => isSameFile(item, file));
  }

  canRetry(id: string): boolean {
    return this.#work.has(id);
  }

  /** Send a file once more that was refused or cancelled. */
  retry(id: string): void {
    const work = this.#work.get(id);
    if (!work) return;
    this.#work.set(id, newWork(work.file));
    this.list.change(id, { state: "waiting", share: 0, problem: null });
    this.#pump();
  }

  /** End a file that has not been sent. */
  cancel(id: string): void {
    const work = this.#work.get(id);
    clearTimeout(work?.timer);
    this.list.change(id, { state: "cancelled" });
    work?.abort.abort();
    this.#pump();
  }

  /** Take lines away: one, or all that are done. */
  remove(isGone: (item: UploadItem) => boolean = (item) => phaseOf(item) === "done"): void {
    for (const item of this.list.items) if (isGone(item)) this.#work.delete(item.id);
    this.list.set(this.list.items.filter((item) => !isGone(item)));
    this.list.remember(); // at once: a reload must not bring a line back
  }

  /** End everything: another person is here. */
  stop(): void {
    for (const { abort, timer } of this.#work.values()) {
      clearTimeout(timer);
      abort.abort();
    }
    this.#work.clear();
  }

  /** The connection is back: whatever waited for it goes on. */
  resume = (): void => {
    for (const item of this.list.items) this.#wake(item.id);
    this.#pump();
  };

  #wake(id: string): void {
    clearTimeout(this.#work.get(id)?.timer);
    if (this.list.find(id)?.state === "pausing") this.list.change(id, { state: "waiting" });
  }

  #pump(): void {
    const sending = this.list.items.filter((item) => item.state === "sending").length;
    const next = this.list.items.filter((item) => item.state === "waiting").slice(0, AT_ONCE - sending);
    for (const item of next) void this.#send(item);
  }

  async #send(item: UploadItem): Promise<void> {
    const work = this.#work.get(item.id);
    if (!work) return;
    this.list.change(item.id, { state: "sending", share: 0 });
    const sending: Sending = {
      signal: work.abort.signal,
      onProgress: (share) => this.#progress(item.id, share),
    };
    try {
      const result = await sendFile(work.file, item.options, sending);
      const { document, problem } = result;
      if (!document) throw new ApiProblem(refusalOf(problem));
      this.#work.delete(item.id);
      const flags = {
        isDuplicate: result.is_duplicate ?? false,
        isNewVersion: result.is_new_version ?? false,
        isRestored: result.is_restored ?? false,
        isReread: result.is_language_changed ?? false,
      };
      this.list.change(item.id, { ...flags, state: "kept", share: 1, document: followed(document) });
    } catch (error) {
      if (error instanceof ApiProblem) await this.#onProblem(item.id, work, error);
    }
    this.#pump();
  }

  async #onProblem(id: string, work: Work, error: ApiProblem): Promise<void> {
    const code = await refusal(work, error);
    if (this.list.find(id)?.state !== "sending") return;
    if (code !== null) {
      this.list.change(id, { state: "refused", problem: { ...error.details, code } });
    } else if (error.status === 401 && work.pauses++ === 0 && (await refreshSession())) {
      this.list.change(id, { state: "waiting" });
    } else {
      this.#pause(id, work, Number(error.details.retry_after_seconds ?? 0) * 1_000);
    }
  }

  #pause(id: string, work: Work, wantedMs: number): void {
    const pause = Math.max(wantedMs, Math.min(FIRST_PAUSE_MS * 2 ** work.pauses, LONGEST_PAUSE_MS));
    work.pauses += 1;
    this.list.change(id, { state: "pausing", share: 0 });
    work.timer = setTimeout(() => {
      this.#wake(id);
      this.#pump();
    }, pause);
  }

  #progress(id: string, share: number): void {
    const item = this.list.find(id);
    if (item?.state === "sending" && share - item.share >= 0.01) this.list.change(id, { share });
  }
}

const refusalOf = (problem: UploadResult["problem"]): ProblemDetails => ({
  status: 422,
  code: "",
  title: "",
  detail: "",
  ...problem,
  hint: problem?.hint ?? undefined,
});

const isSameFile = (item: UploadItem, file: File) =>
  item.state === "lost" && item.filename === file.name && item.sizeBytes === file.size;

/** Return the code of a permanent failure. Null if a retry may succeed. */
async function refusal(work: Work, { status, code }: ApiProblem): Promise<string | null> {
  if (!PASSING.includes(status)) return code;
  if (status !== 0) return null;
  if (!(await canBeRead(work.file))) return "unreadable_file";
  if (await isWithinReach()) work.breaks += 1;
  return work.breaks >= MOST_BREAKS ? "broken_connection" : null;
}

/** A file that was changed or removed since it was chosen cannot be read any more. */
async function canBeRead(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
