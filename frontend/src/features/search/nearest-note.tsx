import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { errorText } from "@/shared/notify";

interface NearestNoteProps {
  error: unknown;
  isFetching: boolean;
  onRetry: () => void;
}

/** Says in passing that snippets could not be cut around their nearest sentences; the passages are there all the same. */
export function NearestNote({ error, isFetching, onRetry }: NearestNoteProps) {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed" role="status" mt={4}>
      {t("search.nearestLost", { reason: errorText(error) })}{" "}
      <Button size="compact-xs" variant="default" loading={isFetching} onClick={onRetry}>
        {t("actions.retry")}
      </Button>
    </Text>
  );
}
