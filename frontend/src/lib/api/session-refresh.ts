let underWay: Promise<boolean> | null = null;

/**
 * Renew the session cookie. Requests that fail together share one renewal: a refresh token may be used once,
 * so two renewals side by side would look like theft.
 */
export function refreshSession(): Promise<boolean> {
  underWay ??= acrossTabs().finally(() => {
    underWay = null;
  });
  return underWay;
}

async function acrossTabs(): Promise<boolean> {
  const locks = navigator.locks as LockManager | undefined; // absent where the page came over plain http
  return locks ? locks.request("lectern-session-refresh", renew) : renew();
}

async function renew(): Promise<boolean> {
  try {
    const response = await globalThis.fetch("/api/v1/auth/refresh", {
      method: "POST",
      credentials: "same-origin",
      headers: { "X-Requested-With": "lectern" },
    });
    return response.ok;
  } catch {
    return false;
  }
}
