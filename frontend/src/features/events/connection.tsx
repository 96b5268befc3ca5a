import { Alert } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { createStore } from "@/lib/create-store";

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

// A stream that ends in turn is back within a second or two; people hear of it only when it stays away.
const PATIENCE_MS = 4_000;

const isLost = createStore(false);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Record that the server is reachable, or that it is not. */
export function noteConnection(isConnected: boolean): void {
  if (isConnected) {
    clearTimeout(timer);
    timer = undefined;
    isLost.set(false);
  } else {
    timer ??= setTimeout(() => isLost.set(true), PATIENCE_MS);
  }
}

/** Return true when the connection has been lost for some seconds. */
const useIsConnectionLost = isLost.use;
