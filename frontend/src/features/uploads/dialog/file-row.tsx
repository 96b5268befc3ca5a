import { ActionIcon, Box, Button, Group, Stack, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UploadOptions } from "@/features/uploads/upload-item";
import { formatBytes } from "@/lib/format";
import { OptionsFields } from "./options-fields";

interface FileRowProps {
  file: File;
  common: UploadOptions;
  /** Options of this file alone. Null if it uses the common options. */
  own: UploadOptions | null;
  onOwn: (options: UploadOptions | null) => void;
  onRemove: () => void;
}

/** One file of the dialog, with optional own fields. */
export function FileRow({ file, common, own, onOwn, onRemove }: FileRowProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Box py={4} style={{ borderTop: "1px solid var(--mantine-color-default-border)" }}>
      <Group wrap="nowrap" gap="xs">
        <Box flex={1} miw={0}>
          <Text size="sm" truncate title={file.name}>
            {file.name}
          </Text>
          <Text size="xs" c="dimmed">
            {formatBytes(file.size)}
            {own ? ` · ${[t("uploads.dialog.own"), ...own.tags].join(", ")}` : ""}
          </Text>
        </Box>
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={isOpen}
          aria-label={t("uploads.dialog.editFile", { filename: file.name })}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t("actions.edit")}
        </Button>
        <ActionIcon color="gray" aria-label={t("uploads.dialog.remove", { filename: file.name })} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {isOpen ? (
        <Stack gap="xs" py="xs" ps="md">
          <OptionsFields size="xs" value={own ?? common} onChange={onOwn} />
          {own ? (
            <Button size="compact-xs" variant="default" onClick={() => onOwn(null)} style={{ alignSelf: "start" }}>
              {t("uploads.dialog.asOthers")}
            </Button>
          ) : null}
        </Stack>
      ) : null}
    </Box>
  );
}
