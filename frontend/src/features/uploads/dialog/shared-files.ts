const SHARED = "lectern-shared";
const MAX_AGE_MS = 3_600_000;

/** Return the files that the share worker has taken, and delete them there. Those of more than an hour ago are dropped. */
export async function takeSharedFiles(): Promise<File[]> {
  if (!("caches" in window) || !(await caches.has(SHARED))) return [];
  const shared = await caches.open(SHARED);
  const files: File[] = [];
  for (const request of await shared.keys()) {
    const response = await shared.match(request);
    if (!response || Date.now() - Number(response.headers.get("X-Shared-At")) > MAX_AGE_MS) continue;
    const name = decodeURIComponent(response.headers.get("X-Name") ?? "");
    const type = response.headers.get("Content-Type") ?? "";
    files.push(new File([await response.blob()], name, { type }));
  }
  await caches.delete(SHARED);
  return files;
}

/** Register the share worker in the installed app. A browser window needs none: nothing is shared with it. */
export function registerShareWorker(): void {
  const register = () => void navigator.serviceWorker?.register("/share-worker.js").catch(reportError);
  window.addEventListener("appinstalled", register);
  if (window.matchMedia("(display-mode: standalone)").matches) register();
}
