import { parseSearchWith, stringifySearchWith } from "@tanstack/react-router";

/** Readers for the URL's search parameters: whatever a person types there becomes a valid value or is left out. */
type Raw = Record<string, unknown>;

/** Parse a list or an object. Throws for text, also if it looks like JSON: `2.50`, `null` and `"a phrase"`. */
function parseStructure(written: string): unknown {
  const value: unknown = JSON.parse(written);
  if (typeof value === "string")
    parseStructure(value); // text that looks like a list is written as a JSON string
  else if (typeof value !== "object" || value === null) throw new SyntaxError("text");
  return value;
}

export const parseSearch = parseSearchWith(parseStructure);
export const stringifySearch = stringifySearchWith(JSON.stringify, parseStructure);

/** Clear what a reader leaves out. The router would pass it on to the page as it was typed. */
export function only<Read extends (raw: Raw) => object>(read: Read): Read {
  const clear = (raw: Raw) => Object.fromEntries(Object.keys(raw).map((name) => [name, undefined]));
  return ((raw) => ({ ...clear(raw), ...read(raw) })) as Read;
}

/** The router reads `2023` and `true` as a number and a flag. */
const asText = (value: unknown) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value);

export function text(raw: Raw, name: string): string | undefined {
  const value = asText(raw[name]);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function list(raw: Raw, name: string): string[] | undefined {
  const value = raw[name];
  const items = (Array.isArray(value) ? value : [value]).map(asText);
  const strings = items.filter((item): item is string => typeof item === "string" && item !== "");
  return strings.length > 0 ? strings : undefined;
}

export function oneOf<T extends string>(raw: Raw, name: string, allowed: readonly T[]): T | undefined {
  return allowed.find((item) => item === raw[name]);
}

export function integer(raw: Raw, name: string, { min, max }: { min: number; max: number }): number | undefined {
  const value = Number(raw[name]);
  return raw[name] !== undefined && Number.isInteger(value) && value >= min && value <= max ? value : undefined;
}

export function flag(raw: Raw, name: string): boolean | undefined {
  return raw[name] === true || raw[name] === "true" ? true : raw[name] === false ? false : undefined;
}

/** The first and the last day of a range. A range that ends before it begins is left out. */
export function days(raw: Raw) {
  const [from, to] = [day(raw, "from"), day(raw, "to")];
  return from && to && from > to ? { from: undefined, to: undefined } : { from, to };
}

/** A day such as 2026-11-22. */
function day(raw: Raw, name: string): string | undefined {
  const value = text(raw, name);
  return value && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** Return the midnight that begins a day in the reader's time zone, or some days later. */
export function startOfDay(date: string, daysLater = 0): string {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, dayOfMonth + daysLater).toISOString();
}

/** Values to change in an address; an undefined one leaves it. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** Drop what is undefined, so that the URL stays short and `exactOptionalPropertyTypes` is content. */
export function compact<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
