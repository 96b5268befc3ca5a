import { NavLink, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentUrl } from "@/features/document/document-url";
import { findHeading, type Heading } from "@/features/document/heading-place";
import { type DocumentRecord, useOutline } from "@/features/document/use-document";
import type { Changes } from "@/lib/search-params";
import { notifyError } from "@/shared/notify";
import { ErrorState, LoadingState } from "@/shared/states";

interface OutlineProps {
  document: DocumentRecord;
  /** Where the selected passage begins. */
  start: number | undefined;
  pageInSight: number;
  onChange: (values: Changes<DocumentUrl>) => void;
  onOpen: (pageNumber: number) => void;
}

/** The headings of a document. Each opens its place, and the one that is read is marked. */
export function Outline({ document, start, pageInSight, onChange, onOpen }: OutlineProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const nav = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useOutline(document.id);
  const items = data?.items ?? [];
  const [opened, setOpened] = useState<{ index: number; start: number } | null>(null);
  const current = opened && opened.start === start ? opened.index : headingOf(items, pageInSight);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the mark moves
  useEffect(() => {
    const [list, mark] = [nav.current, nav.current?.querySelector<HTMLElement>("[aria-current]")];
    if (!list || !mark) return;
    const top = mark.offsetTop - list.offsetTop;
    const isInSight = top >= list.scrollTop && top + mark.offsetHeight <= list.scrollTop + list.clientHeight;
    if (!isInSight) list.scrollTop = top - list.clientHeight / 3;
  }, [current, data]);

  async function open(heading: Heading, index: number) {
    if (!heading.page_number) return;
    const place = await findHeading(client, document.id, heading);
    if (!place) return onOpen(heading.page_number);
    setOpened({ index, start: place.start });
    onChange({ page: heading.page_number, ...place });
  }

  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={5} />;
  if (items.length === 0) return null;
  return (
    <Stack ref={nav} gap={0} component="nav" aria-label={t("document.outline")} mah={320} style={{ overflow: "auto" }}>
      {items.map((entry, index) => (
        <NavLink
          component="button"
          type="button"
          // biome-ignore lint/suspicious/noArrayIndexKey: headings repeat; their place is their identity
          key={index}
          label={entry.title}
          py={4}
          pl={8 + (entry.level - 1) * 16}
          active={index === current}
          aria-current={index === current ? "location" : undefined}
          rightSection={
            <Text span size="sm" c="dimmed">
              {entry.page_number}
            </Text>
          }
          onClick={() => void open(entry, index).catch(notifyError)}
        />
      ))}
    </Stack>
  );
}

/** Return the index of the first heading of a page, or of the last one before it. */
function headingOf(items: Heading[], pageNumber: number): number {
  const first = items.findIndex(({ page_number }) => page_number === pageNumber);
  return first >= 0
    ? first
    : items.findLastIndex(({ page_number }) => Boolean(page_number && page_number < pageNumber));
}
