import { keepPreviousData } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { useTagMap } from "@/features/tags/use-tags";
import { $api } from "@/lib/api/client";
import { bestFits } from "./commands";

const MOST = 6;

/** Tags and documents by name; without a query the newest documents. */
export function useFound(query: string, sent: string) {
  const tags = useTagMap();
  const typed = useDeferredValue(query);
  const documents = $api.useQuery(
    "get",
    "/api/v1/documents",
    { params: { query: { limit: MOST, ...(sent ? { q: sent.slice(0, 200) } : {}) } } },
    { placeholderData: keepPreviousData },
  );
  return {
    tags: typed.trim() === "" ? [] : bestFits(tags.values(), typed, (tag) => tag.name, MOST),
    documents: documents.data?.items ?? [],
  };
}
