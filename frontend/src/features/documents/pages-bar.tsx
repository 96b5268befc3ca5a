import { Button, Group, NativeSelect, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/lib/format";
import { PAGE_SIZES } from "./documents-search";

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
