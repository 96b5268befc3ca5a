import { useDebouncedValue } from "@mantine/hooks";
import { IconFileText, IconSearch, IconTag } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { useTagMap } from "@/features/tags/use-tags";
import { $api } from "@/lib/api/client";
import { bestFits, type Command, fits } from "./commands";

const PAUSE_MS = 150;
const MAX_NAMES = 6;

/** Return the commands, tags and documents that match the query, and a search of the text for it. */
export function useMatches(commands: Command[], query: string): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const typed = query.trim();
  const search: Command = {
    id: "search",
    group: "search",
    label: t("palette.searchFor", { query: typed }),
    icon: IconSearch,
    run: () => void navigate({ to: "/search", search: { q: typed } }),
  };
  return [
    ...commands.filter((command) => fits(query, command.label)),
    ...useTags(query).map(
      (tag): Command => ({
        id: `tag-${tag.id}`,
        group: "tags",
        label: tag.name,
        hint: t("tags.documents", { count: tag.document_count }),
        icon: IconTag,
        run: () => void navigate({ to: "/documents", search: { tags: [tag.name] } }),
      }),
    ),
    ...useDocumentsByName(typed).map(
      (document): Command => ({
        id: `document-${document.id}`,
        group: "documents",
        label: document.title ?? document.filename,
        hint: document.title ? document.filename : document.collection.name,
        icon: IconFileText,
        run: () => void navigate({ to: "/documents/$documentId", params: { documentId: document.id } }),
      }),
    ),
    ...(typed ? [search] : []),
  ];
}

function useTags(query: string) {
  const tags = useTagMap();
  const typed = useDeferredValue(query).trim();
  return typed === "" ? [] : bestFits(tags.values(), typed, (tag) => tag.name, MAX_NAMES);
}

/** Return the documents of that name, exact names first, or the newest ones without a query. */
function useDocumentsByName(typed: string) {
  const [q] = useDebouncedValue(typed, PAUSE_MS);
  const query = { limit: MAX_NAMES, ...(q ? { q: q.slice(0, 200), sort: "name_match" as const } : {}) };
  const { data, isPlaceholderData } = $api.useQuery(
    "get",
    "/api/v1/documents",
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const items = data?.items ?? [];
  if (q === typed && !isPlaceholderData) return items;
  // Enter must not open a document of the words before
  return items.filter(({ title, filename }) => fits(typed, `${title ?? ""} ${filename}`));
}
