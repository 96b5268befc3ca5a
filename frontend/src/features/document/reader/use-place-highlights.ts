import { useMemo } from "react";
import type { FoundPlace } from "@/features/document/use-finding";
import type { PageHighlight } from "@/features/viewer/highlights";

/** Return the highlights of the passage that begins at `start`, and more faintly those of other places. */
export function usePlaceHighlights(
  passage: PageHighlight[] | undefined,
  places: FoundPlace[],
  start: number | undefined,
): PageHighlight[] {
  const key = `${places.length}:${places[0]?.char_start}-${places[0]?.char_end}:${places.at(-1)?.char_end}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says whether the places are others
  return useMemo(
    () => [
      ...(passage ?? []),
      ...places
        .filter((place) => place.char_start !== start)
        .flatMap((place) => place.highlights.map((highlight) => ({ ...highlight, kind: "faint" as const }))),
    ],
    [passage, key, start],
  );
}
