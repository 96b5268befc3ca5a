import { Box, Button, Text } from "@mantine/core";
import { IconNote } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { ErrorState } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import styles from "./note-hits.module.css";

const SHOWN = 3;
const MORE = 50;

/** The notes with the words of a search, each with its place. Nothing without one. */
export function NoteHits({ query }: { query: string }) {
  const { t } = useTranslation();
  const [expanded, setExpanded] = useState<string>();
  const isExpanded = expanded === query;
  const limit = isExpanded ? MORE : SHOWN;
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/v1/notes",
    { params: { query: { q: query.slice(0, 500), limit } } },
    { staleTime: 30_000, placeholderData: (earlier) => earlier },
  );
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data || data.items.length === 0) return null;
  return (
    <Box component="section" className={styles.notes ?? ""} aria-labelledby="note-hits">
      <Text component="h2" id="note-hits" size="sm" fw={600}>
        {t("notes:inNotes")} · {t("notes:found", { count: data.total })}
      </Text>
      <ul>
        {data.items.map((note) => (
          <li key={note.id}>
            <IconNote size={15} aria-hidden />
            <TextLink
              to="/documents/$documentId"
              params={{ documentId: note.document_id }}
              search={note.is_outdated ? {} : { page: note.page_number, start: note.char_start, end: note.char_end }}
              size="sm"
              lineClamp={2}
            >
              {note.text}
            </TextLink>
            <Text size="xs" c="dimmed" truncate>
              {[note.document, t("search.page", { page: note.page_number }), note.is_mine ? null : note.author_name]
                .filter(Boolean)
                .join(" · ")}
            </Text>
          </li>
        ))}
      </ul>
      {isExpanded || data.total <= SHOWN ? null : (
        <Button variant="subtle" size="compact-sm" onClick={() => setExpanded(query)}>
          {t("notes:more", { count: Math.min(data.total, MORE) - SHOWN })}
        </Button>
      )}
    </Box>
  );
}
