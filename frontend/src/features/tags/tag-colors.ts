/** The palette of tags, as the API names it; a tag may also carry any `#rrggbb`. */
export const TAG_COLORS = [
  "red",
  "pink",
  "grape",
  "violet",
  "indigo",
  "blue",
  "cyan",
  "teal",
  "green",
  "lime",
  "yellow",
  "orange",
] as const;

/** The colours given by name, which are easy to distinguish. */
const COLORS_BY_NAME = ["pink", "grape", "indigo", "cyan", "teal", "green", "yellow", "orange"] as const;

/** The API's default: nobody chose a colour. */
const UNCHOSEN = "gray";

export function cssColor(color: string): string {
  return color.startsWith("#") ? color : `var(--mantine-color-${color}-6)`;
}

/** The colour of a tag: the one that somebody chose, or else one by its name. */
export const colorOfTag = ({ name, color }: { name: string; color: string }) =>
  color === UNCHOSEN ? colorOfName(name) : color;

/** A colour by name: always the same for the same name. */
export function colorOfName(name: string): string {
  let sum = 0;
  for (const character of name.toLowerCase()) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return COLORS_BY_NAME[sum % COLORS_BY_NAME.length] ?? "cyan";
}
