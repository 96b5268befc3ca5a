import { Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { pickFiles } from "./chosen-files";

export function UploadButton() {
  const { t } = useTranslation();
  return (
    <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={pickFiles}>
      {t("uploads.choose")}
    </Button>
  );
}
