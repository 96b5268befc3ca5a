/** The browser's XMLHttpRequest without a network: tests say what comes back. */
export class FakeRequest extends EventTarget {
  static all: FakeRequest[] = [];
  static latest = () => FakeRequest.all.at(-1) as FakeRequest;

  upload = new EventTarget();
  headers: Record<string, string> = {};
  method = "";
  url = new URL("http://localhost");
  body: unknown;
  status = 0;
  responseText = "";
  isOver = false;

  open(method: string, url: string) {
    this.method = method;
    this.url = new URL(url, "http://localhost");
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(body: unknown) {
    this.body = body;
    FakeRequest.all.push(this);
  }
  abort() {
    this.#end("abort");
  }

  progress(share: number) {
    this.upload.dispatchEvent(Object.assign(new Event("progress"), { loaded: share * 100, total: 100 }));
  }
  answer(status: number, body: unknown) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.#end("load");
  }
  breakOff() {
    this.#end("error");
  }

  #end(event: string) {
    if (this.isOver) return;
    this.isOver = true;
    this.dispatchEvent(new Event(event));
    this.dispatchEvent(new Event("loadend"));
  }
}
