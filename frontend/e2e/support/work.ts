import type { CDPSession, Page } from "playwright-core";

interface TraceEvent {
  ph: string;
  name: string;
  pid: number;
  tid: number;
  tdur?: number;
  args?: { name?: string };
}

/** Counts the processor time of a page's main thread. */
export class WorkMeter {
  private constructor(
    readonly page: Page,
    readonly session: CDPSession,
  ) {}

  static async on(page: Page): Promise<WorkMeter> {
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    return new WorkMeter(page, session);
  }

  /** The work of all tasks from the start of `act` until the page is drawn after its end. */
  async total(act: () => Promise<unknown>): Promise<number> {
    await drawn(this.page);
    const before = await this.#taskMilliseconds();
    await act();
    await drawn(this.page);
    return (await this.#taskMilliseconds()) - before;
  }

  /** The longest single task meanwhile: for so long nothing else is answered. */
  async longestTask(act: () => Promise<unknown>): Promise<number> {
    const browser = this.page.context().browser();
    if (!browser) throw new Error("the page has no browser");
    await browser.startTracing(this.page, { categories: ["toplevel"] });
    let trace: Buffer;
    try {
      await act();
      await drawn(this.page);
    } finally {
      trace = await browser.stopTracing();
    }
    return longestOf((JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }).traceEvents);
  }

  async #taskMilliseconds(): Promise<number> {
    const { metrics } = await this.session.send("Performance.getMetrics");
    const found = metrics.find(({ name }) => name === "TaskDuration");
    if (!found) throw new Error("the browser does not count tasks");
    return found.value * 1_000;
  }
}

function longestOf(events: TraceEvent[]): number {
  const mains = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = events
    .filter(({ ph, name, pid, tid }) => ph === "X" && name.endsWith("::RunTask") && mains.has(`${pid}/${tid}`))
    .map(({ tdur = 0 }) => tdur / 1_000);
  if (tasks.length === 0) throw new Error("the trace shows no task of a page");
  return Math.max(...tasks);
}

/** Until what has changed is on the screen. */
const drawn = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
