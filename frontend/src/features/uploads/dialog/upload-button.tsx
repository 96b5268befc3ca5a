import { ActionIcon, Button } from "@mantine/core";
import { IconCamera, IconUpload } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { pickFiles } from "./chosen-files";

/** Opens the file chooser, and on a phone also the camera. */
export function UploadButton() {
  const { t } = useTranslation();
  return (
    <>
      <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => pickFiles()}>
        {t("uploads.choose")}
      </Button>
      <ActionIcon
        hiddenFrom="sm"
        size={36}
        variant="default"
        aria-label={t("uploads.camera")}
        onClick={() => pickFiles({ isCamera: true })}
      >
        <IconCamera size={18} aria-hidden />
      </ActionIcon>
    </>
  );
}
