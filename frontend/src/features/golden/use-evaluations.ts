import { $api } from "@/lib/api/client";
import { CURSOR_LIST, useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";
import { notifyError } from "@/shared/notify";

export type SearchSetting = components["schemas"]["SearchSettingResponse"];
export type PreviewWanted = components["schemas"]["PreviewRequest"];
export type Preview = components["schemas"]["PreviewResponse"];
export type Moved = components["schemas"]["MovedQuestion"];

const PAGE = 50;

/** Golden queries, the newest first. */
export function useGoldenQueries() {
  return $api.useInfiniteQuery(
    "get",
    "/api/v1/evaluations/golden",
    { params: { query: { limit: PAGE } } },
    CURSOR_LIST,
  );
}

/** Asks them under the settings as they are. */
export function useRun() {
  return $api.useMutation("post", "/api/v1/evaluations/run", {
    onSuccess: useInvalidate("golden"),
    onError: notifyError,
  });
}

/** The settings of the search that can be tried. */
export const useSearchSettings = () => $api.useQuery("get", "/api/v1/evaluations/settings");

/** Asks them under other settings; nothing is applied. */
export const usePreview = () => $api.useMutation("post", "/api/v1/evaluations/preview");
