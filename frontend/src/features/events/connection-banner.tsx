import { Alert } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useIsConnectionLost } from "./connection";

/** Says that the server cannot be reached, for as long as that is so. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const isLost = useIsConnectionLost();
  return (
    <div role="status">
      {isLost ? (
        <Alert color="orange" icon={<IconPlugConnectedX aria-hidden />} mb="md" py="xs">
          {t("errors.offline")}
        </Alert>
      ) : null}
    </div>
  );
}
