import { Stack, Text } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import IconFileUpload from "@tabler/icons-react/dist/esm/icons/IconFileUpload.mjs";
import { useTranslation } from "react-i18next";
import { offerFiles } from "./chosen-files";
import styles from "./drop-overlay.module.css";

/** Files may be dropped anywhere in the window: while they hang over it, it says so. */
export function DropOverlay() {
  const { t } = useTranslation();
  return (
    <Dropzone.FullScreen
      onDrop={offerFiles}
      classNames={{ fullScreen: styles.screen ?? "", inner: styles.inner ?? "" }}
    >
      <Stack align="center" gap="xs">
        <IconFileUpload size={64} stroke={1.2} aria-hidden />
        <Text fz="xl" fw={600}>
          {t("uploads.dropHere")}
        </Text>
        <Text c="dimmed">{t("uploads.dropKinds")}</Text>
      </Stack>
    </Dropzone.FullScreen>
  );
}
