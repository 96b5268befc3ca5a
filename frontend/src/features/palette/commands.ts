import type { ComponentType } from "react";

export type PaletteGroup = "search" | "pages" | "actions" | "documents" | "tags";

export interface Command {
  id: string;
  group: PaletteGroup;
  label: string;
  hint?: string | undefined;
  icon: ComponentType<{ size?: number; stroke?: number; "aria-hidden"?: boolean }>;
  run: () => void;
}

const folded = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** Return true if every typed word starts a word of the text: "ke ag" finds "Keys & agents". */
export function fits(query: string, text: string): boolean {
  const words = folded(text).split(/[^\p{L}\p{N}]+/u);
  return folded(query)
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)) || folded(text).includes(part));
}

/** The first `limit` texts that fit, those that begin with what was typed before the others. */
export function bestFits<T>(items: Iterable<T>, query: string, nameOf: (item: T) => string, limit: number): T[] {
  const start = folded(query.trim());
  const first: T[] = [];
  const others: T[] = [];
  for (const item of items) {
    const name = nameOf(item);
    if (folded(name).startsWith(start)) first.push(item);
    else if (others.length < limit && fits(query, name)) others.push(item);
    if (first.length >= limit) break;
  }
  return [...first, ...others].slice(0, limit);
}
