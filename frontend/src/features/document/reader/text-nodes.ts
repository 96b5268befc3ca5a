import type { RootContent, Text } from "mdast";

type Position = NonNullable<Text["position"]>;

export interface Range {
  start: number;
  end: number;
}

export function positionOf(offset: number, length: number): Position {
  const point = (at: number) => ({ line: 1, column: 1, offset: at });
  return { start: point(offset), end: point(offset + length) };
}

export function rangeOf({ position }: RootContent): Range {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}

export const toText = (value: string, offset: number): Text => ({
  type: "text",
  value,
  position: positionOf(offset, value.length),
});
