import type { Page } from "playwright-core";

/** The web vitals of the page that was loaded last. Times are in milliseconds. */
interface Vitals {
  layoutShift: number;
  largestPaint: number;
  slowestInteraction: number;
}

type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; interactionId: number };

/** Count the vitals of every page that is loaded from now on. */
export async function watchVitals(page: Page): Promise<() => Promise<Vitals>> {
  await page.addInitScript(() => {
    const vitals: Vitals = { layoutShift: 0, largestPaint: 0, slowestInteraction: 0 };
    const observe = (type: string, read: (entry: Entry) => void, more = {}) =>
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) read(entry as Entry);
      }).observe({ type, buffered: true, ...more });
    observe("layout-shift", ({ value, hadRecentInput }) => {
      if (!hadRecentInput) vitals.layoutShift += value;
    });
    observe("largest-contentful-paint", ({ startTime }) => {
      vitals.largestPaint = startTime;
    });
    const interactions = { durationThreshold: 16 };
    const slowest = ({ duration, interactionId }: Entry) => {
      if (interactionId) vitals.slowestInteraction = Math.max(vitals.slowestInteraction, duration);
    };
    observe("event", slowest, interactions);
    (window as unknown as { vitals: Vitals }).vitals = vitals;
  });
  return () => page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals);
}
