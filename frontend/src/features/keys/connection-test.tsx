import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { formatTime } from "@/lib/format";
import { isSameOrigin, type TestResult, testMcp } from "./mcp-test";
import type { CreatedKey } from "./use-keys";

const LOOK_AGAIN_MS = 3_000;

/** Check a new key: wait for the agent's first request, or test it from the browser. */
export function ConnectionTest({ created, url }: { created: CreatedKey; url: string }) {
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
      {isSameOrigin(url, window.location.origin) ? (
        <FromHere url={url} secret={created.key} />
      ) : (
        <Text size="xs" c="dimmed">
          {t("keys:connection.elsewhere")}
        </Text>
      )}
    </Stack>
  );
}

function FromHere({ url, secret }: { url: string; secret: string }) {
  const { t } = useTranslation();
  const [isTesting, setIsTesting] = useState(false);
  const [result, setResult] = useState<TestResult | null>(null);

  async function run() {
    setIsTesting(true);
    setResult(await testMcp(url, secret));
    setIsTesting(false);
  }

  return (
    <>
      <Group>
        <Button size="xs" variant="default" loading={isTesting} onClick={() => void run()}>
          {t("keys:connection.test")}
        </Button>
      </Group>
      {result ? (
        <Alert color={"tools" in result ? "green" : "red"} variant="outline" p="xs" role="status">
          {"tools" in result
            ? t("keys:connection.works", { count: result.tools.length, tools: result.tools.join(", ") })
            : t("keys:connection.fails", { reason: result.reason })}
        </Alert>
      ) : null}
    </>
  );
}
