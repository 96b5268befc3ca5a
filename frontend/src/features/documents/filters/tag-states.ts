import type { DocumentsSearch } from "@/features/documents/documents-search";

/** Roles of a tag in a filter: any of these, all of these, none of these. */
export const TAG_STATES = ["any", "all", "none"] as const;
export type TagState = (typeof TAG_STATES)[number];
type TagConditions = Pick<DocumentsSearch, "tags" | "allTags" | "noTags" | "untagged">;

const FIELD = { any: "tags", all: "allTags", none: "noTags" } as const;
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

export function tagState(search: TagConditions, name: string): TagState | null {
  return TAG_STATES.find((state) => search[FIELD[state]]?.some((one) => same(one, name))) ?? null;
}

/** The conditions with one tag in the state given, or in none. Tags and "untagged" exclude each other. */
export function withTagState(search: TagConditions, name: string, state: TagState | null) {
  const next: { [Field in keyof TagConditions]: TagConditions[Field] | undefined } = {
    untagged: search.untagged,
  };
  for (const one of TAG_STATES) {
    const rest = (search[FIELD[one]] ?? []).filter((other) => !same(other, name));
    next[FIELD[one]] = state === one ? [...rest, name] : rest;
  }
  if (state === "any" || state === "all") next.untagged = undefined;
  return next;
}

export function onlyUntagged(search: TagConditions) {
  return { tags: undefined, allTags: undefined, noTags: search.noTags, untagged: true };
}

/** All tags that take part, with their states. */
export function chosenTags(search: TagConditions): { name: string; state: TagState }[] {
  return TAG_STATES.flatMap((state) => (search[FIELD[state]] ?? []).map((name) => ({ name, state })));
}
