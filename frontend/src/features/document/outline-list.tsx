import { NavLink, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { EmptyState, ErrorState, LoadingState } from "@/shared/states";
import { useOutline } from "./use-document";

export function OutlineList({ documentId, onOpen }: { documentId: string; onOpen: (pageNumber: number) => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useOutline(documentId);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={5} />;
  if (data.items.length === 0) return <EmptyState title={t("document.noOutline")} />;
  return (
    <Stack gap={0}>
      {data.items.map((entry, index) => (
        <NavLink
          component="button"
          type="button"
          // biome-ignore lint/suspicious/noArrayIndexKey: headings repeat; their place is their identity
          key={index}
          label={entry.title}
          pl={8 + (entry.level - 1) * 16}
          rightSection={
            <Text span size="sm" c="dimmed">
              {entry.page_number}
            </Text>
          }
          onClick={() => entry.page_number && onOpen(entry.page_number)}
        />
      ))}
    </Stack>
  );
}
