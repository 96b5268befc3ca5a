/** Where the server sends a browser whose single sign-on failed. */
export const SIGN_IN_PATH = "/sign-in";
const KEY = "lectern-wanted-page";

/** Return the page to open after the sign-in, also after a single sign-on that failed. */
export function wantedPage(): string {
  const { pathname, search } = window.location;
  if (pathname !== SIGN_IN_PATH) return pathname + search;
  return sessionStorage.getItem(KEY) ?? "/";
}

/** Keep the wanted page while the browser is at the identity provider. */
export const rememberWantedPage = () => sessionStorage.setItem(KEY, wantedPage());
