import { Stack, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { offerFiles } from "./chosen-files";
import styles from "./drop-overlay.module.css";
import { useFileDrop } from "./use-file-drop";

/** Files may be dropped anywhere in the window: while they hang over it, it says so. */
export function DropOverlay() {
  const { t } = useTranslation();
  const isOver = useFileDrop(offerFiles);
  if (!isOver) return null;
  return (
    <div className={styles.screen}>
      <Stack align="center" justify="center" gap="xs" className={styles.frame ?? ""}>
        <IconFileUpload size={64} stroke={1.2} aria-hidden />
        <Text fz="xl" fw={600}>
          {t("uploads.dropHere")}
        </Text>
        <Text c="dimmed">{t("uploads.dropKinds")}</Text>
      </Stack>
    </div>
  );
}
