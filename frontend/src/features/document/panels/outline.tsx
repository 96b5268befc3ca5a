import { NavLink, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentUrl } from "@/features/document/document-url";
import { findHeading, type Heading, headingOfPage, headingOfPassage } from "@/features/document/heading-place";
import { type DocumentRecord, useOutline, usePageText } from "@/features/document/use-document";
import type { Changes } from "@/lib/search-params";
import { notifyError } from "@/shared/notify";
import { ErrorState, LoadingState } from "@/shared/states";

interface OutlineProps {
  document: DocumentRecord;
  /** Its page and start are those of the selected passage. */
  url: DocumentUrl;
  pageInSight: number;
  onChange: (values: Changes<DocumentUrl>) => void;
  onOpen: (pageNumber: number) => void;
}

/** The headings of a document. Each opens its place, and the one that is read is marked. */
export function Outline({ document, url, pageInSight, onChange, onOpen }: OutlineProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const nav = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useOutline(document.id);
  const items = data?.items ?? [];
  const current = useHeadingInSight(document.id, items, url, pageInSight);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the mark moves
  useEffect(() => {
    const [list, mark] = [nav.current, nav.current?.querySelector<HTMLElement>("[aria-current]")];
    if (!list || !mark) return;
    const top = mark.offsetTop - list.offsetTop;
    const isInSight = top >= list.scrollTop && top + mark.offsetHeight <= list.scrollTop + list.clientHeight;
    if (!isInSight) list.scrollTop = top - list.clientHeight / 3;
  }, [current, data]);

  async function open(heading: Heading) {
    if (!heading.page_number) return;
    const place = await findHeading(client, document.id, heading);
    if (!place) return onOpen(heading.page_number);
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
          onClick={() => void open(entry).catch(notifyError)}
        />
      ))}
    </Stack>
  );
}

/** Return the index of the heading of the selected passage while that is in sight, and else of the page. */
function useHeadingInSight(
  documentId: string,
  headings: readonly Heading[],
  { page: pageNumber, start }: DocumentUrl,
  pageInSight: number,
): number {
  const first = pageNumber ?? pageInSight;
  // a passage at the end of its page leaves most of the window to the next one
  const isPassageInSight = start !== undefined && [first, first + 1].includes(pageInSight);
  const { data: page, error } = usePageText(documentId, first, { isEnabled: isPassageInSight });
  if (!isPassageInSight || error) return headingOfPage(headings, pageInSight);
  return page ? headingOfPassage(headings, page, start) : -1;
}
