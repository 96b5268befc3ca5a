import { List, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { ErrorState, LoadingState } from "@/shared/states";

/** What a key sees and may do, as the API counts it now. */
export function KeyView({ keyId }: { keyId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = $api.useQuery("get", "/api/v1/keys/{key_id}/view", {
    params: { path: { key_id: keyId } },
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  return (
    <Stack gap="xs">
      <List size="sm">
        <List.Item>{t("keys:view.documents", { count: data.document_count })}</List.Item>
        <List.Item>{t("keys:view.collections", { count: data.collection_count })}</List.Item>
        <List.Item>{t("keys:view.tags", { count: data.tag_count })}</List.Item>
      </List>
      <Text size="sm">{t("keys:view.tools", { tools: data.tools.join(", ") })}</Text>
      <Text size="sm">{t("keys:view.operations", { operations: data.operations.join(", ") })}</Text>
    </Stack>
  );
}
