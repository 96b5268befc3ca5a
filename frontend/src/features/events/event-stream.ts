import type { DocumentEvent } from "./news";

export interface StreamHandlers {
  onDocument: (news: DocumentEvent) => void;
  onGone: (documentId: string) => void;
  /** The stream begins, or events were missed: cached data may be stale. */
  onRefetch: () => void;
  onConnected: (isConnected: boolean) => void;
  /** The server refused the stream. A browser does not retry then. */
  onRefused: () => void;
}

const URL_OF_EVENTS = "/api/v1/events";
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
// A browser opens six connections to an origin over HTTP/1.1, for all tabs together: hidden tabs give theirs back.
const HIDDEN_MS = 20_000;
// The API says something at least every 15 seconds: a line that is silent for longer is dead, whatever the browser thinks.
const SILENCE_MS = 35_000;

/** Listen to the news of documents until the function that is returned is called; broken connections are made again. */
export function openEventStream(handlers: StreamHandlers): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_PAUSE_MS;
  const lifetime = new AbortController();

  function connect() {
    rest();
    source = new EventSource(URL_OF_EVENTS);
    source.addEventListener("open", () => {
      pause = FIRST_PAUSE_MS;
      handlers.onConnected(true);
    });
    listen("refetch", handlers.onRefetch);
    listen("document", (data) => handlers.onDocument(JSON.parse(data)));
    listen("document_gone", (data) => handlers.onGone(JSON.parse(data).document_id));
    listen("alive", () => undefined);
    source.addEventListener("error", onError);
    expectSomething();
  }

  function listen(event: string, handle: (data: string) => void) {
    source?.addEventListener(event, ({ data }) => {
      expectSomething();
      handle(data);
    });
  }

  function expectSomething() {
    clearTimeout(silence);
    silence = setTimeout(() => {
      handlers.onConnected(false);
      connect();
    }, SILENCE_MS);
  }

  function onError() {
    handlers.onConnected(false);
    if (source?.readyState !== EventSource.CLOSED) return;
    handlers.onRefused();
    clearTimeout(timer);
    timer = setTimeout(connect, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  function rest() {
    clearTimeout(timer);
    clearTimeout(silence);
    source?.close();
    source = null;
  }

  function onVisibilityChange() {
    if (document.visibilityState === "hidden") timer = setTimeout(rest, HIDDEN_MS);
    else if (source === null) connect();
    else if (source.readyState !== EventSource.CLOSED) clearTimeout(timer);
  }

  /** A machine without a network still reaches a server of its own. */
  function onOffline() {
    handlers.onConnected(false);
    connect();
  }

  const options = { signal: lifetime.signal };
  document.addEventListener("visibilitychange", onVisibilityChange, options);
  window.addEventListener("online", connect, options);
  window.addEventListener("offline", onOffline, options);
  connect();
  return () => {
    lifetime.abort();
    rest();
  };
}
