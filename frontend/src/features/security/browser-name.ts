const BROWSERS = [
  ["Firefox", /Firefox\//],
  ["Edge", /Edg\//],
  ["Chrome", /Chrome\//],
  ["Safari", /Safari\//],
] as const;
const SYSTEMS = [
  ["Android", /Android/],
  ["iOS", /iPhone|iPad/],
  ["Windows", /Windows/],
  ["macOS", /Macintosh/],
  ["Linux", /Linux/],
] as const;
const LONGEST = 60;

/** Return a name such as `Firefox, Windows` for a User-Agent header, or its beginning for a program. */
export function browserName(userAgent: string): string {
  const named = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const browser = named(BROWSERS);
  return browser ? [browser, named(SYSTEMS)].filter(Boolean).join(", ") : userAgent.slice(0, LONGEST);
}
