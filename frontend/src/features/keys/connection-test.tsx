import { Group, Loader, Stack, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { formatTime } from "@/lib/format";
import { KeyTest } from "./key-test";
import type { CreatedKey } from "./use-keys";

const LOOK_AGAIN_MS = 3_000;

/** Check a new key: wait for the agent's first request, or test it from the server. */
export function ConnectionTest({ created }: { created: CreatedKey }) {
  const { t } = useTranslation();
  const key = $api.useQuery(
    "get",
    "/api/v1/keys/{key_id}",
    { params: { path: { key_id: created.api_key.id } } },
    { refetchInterval: (query) => (query.state.data?.last_used_at ? false : LOOK_AGAIN_MS) },
  );
  const usedAt = key.data?.last_used_at;
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap" role="status">
        {usedAt ? <IconCircleCheck size={18} aria-hidden /> : <Loader size={16} aria-hidden />}
        <Text size="sm" fw={usedAt ? 600 : 400}>
          {usedAt ? t("keys:connection.reached", { moment: formatTime(usedAt) }) : t("keys:connection.waiting")}
        </Text>
      </Group>
      <KeyTest keyId={created.api_key.id} />
    </Stack>
  );
}
