/** The palette of tags, as the API names it; a tag may also carry any `#rrggbb`. */
export const TAG_COLORS = [
  "gray",
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

export function cssColor(color: string): string {
  return color.startsWith("#") ? color : `var(--mantine-color-${color}-6)`;
}

/** A colour for a new tag: always the same for the same name, never gray. */
export function colorOfName(name: string): string {
  let sum = 0;
  for (const character of name.toLowerCase()) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return TAG_COLORS[1 + (sum % (TAG_COLORS.length - 1))] ?? "blue";
}
