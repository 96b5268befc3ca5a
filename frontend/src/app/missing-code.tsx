import { Alert, Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useIsCodeMissing } from "@/lib/load-code";
import { ErrorState } from "@/shared/states";

const reload = () => window.location.reload();

/** Says that a part of the app has not come; after an update only a reload brings the part of today. */
export function MissingCodeBanner() {
  const { t } = useTranslation();
  const isMissing = useIsCodeMissing();
  return (
    <div role="status">
      {isMissing ? (
        <Alert color="orange" mb="md" py="xs">
          <Group justify="space-between">
            <Text size="sm">{t("errors.codeMissing")}</Text>
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
