import { Box, Group, Stack, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { usePageLedger } from "@/features/document/use-document";
import { ErrorState, LoadingState, MoreButton } from "@/shared/states";
import classes from "./page-ledger.module.css";

const KINDS = ["text", "table", "toc", "ocr", "empty", "unreadable"] as const;

interface PageLedgerProps {
  documentId: string;
  pageNumber: number;
  onOpen: (pageNumber: number) => void;
}

/** One cell a page: what it is and whether it could be read. */
export function PageLedger({ documentId, pageNumber, onOpen }: PageLedgerProps) {
  const { t } = useTranslation();
  const list = usePageLedger(documentId);
  const { data, error, refetch } = list;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={2} />;
  const pages = data.pages.flatMap((page) => page.items);
  const kinds = KINDS.filter((kind) => pages.some((page) => page.kind === kind));
  return (
    <Stack gap="sm">
      <Group gap={4}>
        {pages.map((page) => {
          const kind = t(`document.kind.${page.kind}`);
          const label = [t("search.page", { page: page.page_number }), kind, page.note].filter(Boolean).join(" · ");
          return (
            <Tooltip key={page.page_number} label={label}>
              <UnstyledButton
                className={classes.cell}
                data-kind={page.kind}
                aria-label={label}
                aria-current={page.page_number === pageNumber ? "page" : undefined}
                onClick={() => onOpen(page.page_number)}
              >
                {page.page_number}
              </UnstyledButton>
            </Tooltip>
          );
        })}
      </Group>
      <MoreButton query={list} size="xs">
        {t("document.morePages")}
      </MoreButton>
      <Group gap="md">
        {kinds.map((kind) => (
          <Group gap={6} key={kind}>
            <Box className={classes.cell} data-kind={kind} data-small aria-hidden />
            <Text size="xs">{t(`document.kind.${kind}`)}</Text>
          </Group>
        ))}
      </Group>
    </Stack>
  );
}
