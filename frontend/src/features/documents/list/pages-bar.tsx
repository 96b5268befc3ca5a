import { Button, Group, NativeSelect, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { PAGE_SIZES } from "@/features/documents/documents-search";
import { formatNumber } from "@/lib/format";

interface PagesBarProps {
  page: number;
  size: number;
  shown: number;
  total: number;
  hasNext: boolean;
  onNext: () => void;
  onPrevious: () => void;
  /** Absent where the size is fixed. */
  onSize?: (size: number) => void;
}

/** Which part of how many, and the way to the others. */
export function PagesBar({ page, size, shown, total, hasNext, onNext, onPrevious, onSize }: PagesBarProps) {
  const { t } = useTranslation();
  const start = (page - 1) * size;
  return (
    <Group component="nav" mt="sm" gap="xs" aria-label={t("documents.pages.label")}>
      <Text size="sm" c="dimmed" mr="auto" aria-live="polite">
        {t("documents.pages.range", {
          from: formatNumber(shown === 0 ? 0 : start + 1),
          to: formatNumber(start + shown),
          total: formatNumber(total),
        })}
      </Text>
      {onSize ? <PageSize size={size} onSize={onSize} /> : null}
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          disabled={page <= 1}
          leftSection={<IconChevronLeft size={14} aria-hidden />}
          onClick={onPrevious}
        >
          {t("actions.previous")}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={!hasNext}
          rightSection={<IconChevronRight size={14} aria-hidden />}
          onClick={onNext}
        >
          {t("actions.next")}
        </Button>
      </Group>
    </Group>
  );
}

function PageSize({ size, onSize }: { size: number; onSize: (size: number) => void }) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="xs"
      aria-label={t("documents.pages.size")}
      value={String(size)}
      data={PAGE_SIZES.map((one) => ({
        value: String(one),
        label: t("documents.pages.perPage", { count: one }),
      }))}
      onChange={(event) => onSize(Number(event.currentTarget.value))}
    />
  );
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Cursors of the pages before this one, the first page's being "". */
    cursors?: string[];
  }
}

export interface Place {
  cursor?: string;
  page?: number;
}

/**
 * Going forth and back in a list that only knows its next page. The way back lies in the history entry, so it survives
 * a reload; who comes by a link has none and goes back to the first page.
 */
export function useCursorPages(place: Place, go: (place: Place, state: { cursors: string[] }) => void) {
  const cursors = useRouterState({ select: (state) => state.location.state.cursors }) ?? [];
  const page = place.page ?? (place.cursor ? cursors.length + 1 : 1);

  function goTo(cursor: string, target: number, before: string[]) {
    go(cursor ? { cursor, page: target } : {}, { cursors: before });
  }

  return {
    page,
    next: (nextCursor: string) => goTo(nextCursor, page + 1, [...cursors, place.cursor ?? ""]),
    previous: () => goTo(cursors.at(-1) ?? "", page - 1, cursors.slice(0, -1)),
    first: () => goTo("", 1, []),
  };
}
