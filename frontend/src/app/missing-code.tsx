import { Alert, Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useIsCodeMissing, useIsOutdated } from "@/lib/load-code";
import { ErrorState } from "@/shared/states";

const reload = () => window.location.reload();

/** Say that a part of the app could not be loaded, or that the server was updated. */
export function MissingCodeBanner() {
  const { t } = useTranslation();
  const isMissing = useIsCodeMissing();
  const isOutdated = useIsOutdated();
  return (
    <div role="status">
      {isMissing || isOutdated ? (
        <Alert color="orange" mb="md" py="xs">
          <Group justify="space-between">
            <Text size="sm">{t(isOutdated ? "errors.updated" : "errors.codeMissing")}</Text>
            <Button size="xs" variant="default" onClick={reload}>
              {t("errors.reload")}
            </Button>
          </Group>
        </Alert>
      ) : null}
    </div>
  );
}

/** In the place of a screen that broke. */
export function BrokenScreen({ error }: { error: unknown }) {
  return <ErrorState error={error} onRetry={reload} />;
}
