import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import type { components } from "@/lib/api/schema";
import { ErrorState } from "@/shared/states";

/** A button that lets the server call the MCP service with a key, beside other buttons. Shows the tools and the latency. */
export function KeyTest({ keyId, children }: { keyId: string; children?: ReactNode }) {
  const { t } = useTranslation();
  const { mutate, data, error, isPending } = $api.useMutation("post", "/api/v1/keys/{key_id}/test");
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {children}
        <Button
          size="xs"
          variant="default"
          loading={isPending}
          onClick={() => mutate({ params: { path: { key_id: keyId } } })}
        >
          {t("keys:connection.test")}
        </Button>
      </Group>
      {error && !isPending ? <ErrorState error={error} /> : null}
      {data ? <TestResult result={data} /> : null}
    </Stack>
  );
}

function TestResult({ result }: { result: components["schemas"]["KeyTestResponse"] }) {
  const { t } = useTranslation();
  return (
    <Alert color="green" variant="outline" p="xs" role="status">
      <Text size="sm">
        {t("keys:connection.works", { count: result.tools.length, tools: result.tools.join(", ") })}
      </Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {result.called_tool && result.latency_ms !== null
          ? t("keys:connection.latency", { tool: result.called_tool, ms: result.latency_ms, url: result.url })
          : t("keys:connection.reachedAt", { url: result.url })}
      </Text>
    </Alert>
  );
}
