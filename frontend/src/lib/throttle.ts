/** Calls that come close together become one: soon after the first, and never more often than every `everyMs`. */
export function throttle(action: () => void, { soonMs = 250, everyMs }: { soonMs?: number; everyMs: number }) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  function run() {
    timer = undefined;
    last = performance.now();
    action();
  }
  function call() {
    timer ??= setTimeout(run, Math.max(soonMs, last + everyMs - performance.now()));
  }
  call.cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return call;
}
