import { Box, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useEnsureTags } from "@/features/tags/use-tags";
import type { UploadOptions } from "@/features/uploads/upload-item";
import { uploads } from "@/features/uploads/uploads";
import { formatBytes } from "@/lib/format";
import { notifyError } from "@/shared/notify";
import { useIsPhone } from "@/shared/use-is-phone";
import { forgetChosenFiles, useChosenFiles } from "./chosen-files";
import { FileRow } from "./file-row";
import { OptionsFields } from "./options-fields";

const SHOWN = 100;
const FILES = "files-to-upload";
type OwnOptions = ReadonlyMap<File, UploadOptions>;

/** Asks where files go and what they carry, before anything is sent. */
export function UploadDialog() {
  const { t } = useTranslation();
  const files = useChosenFiles();
  const isPhone = useIsPhone();
  return (
    <Modal
      opened={files.length > 0}
      onClose={forgetChosenFiles}
      title={t("uploads.dialog.title")}
      size="lg"
      fullScreen={isPhone}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      {files.length > 0 ? <Questions files={files} /> : null}
    </Modal>
  );
}

function Questions({ files }: { files: readonly File[] }) {
  const { t } = useTranslation();
  const [common, setCommon] = useState<UploadOptions>({ tags: [] });
  const [own, setOwn] = useState<OwnOptions>(new Map());
  const [leftOut, setLeftOut] = useState<ReadonlySet<File>>(new Set());
  const [isSending, setIsSending] = useState(false);
  const ensureTags = useEnsureTags();
  const wanted = files.filter((file) => !leftOut.has(file));

  async function send() {
    setIsSending(true);
    const entries = wanted.map((file) => ({ file, options: own.get(file) ?? common }));
    try {
      await ensureTags([...new Set(entries.flatMap(({ options }) => options.tags))]);
      uploads.add(entries);
      forgetChosenFiles();
    } catch (error) {
      notifyError(error);
      setIsSending(false);
    }
  }

  function setOwnOf(file: File, options: UploadOptions | null) {
    const next = new Map(own);
    if (options) next.set(file, options);
    else next.delete(file);
    setOwn(next);
  }

  return (
    <Stack>
      <OptionsFields value={common} onChange={setCommon} />
      <div>
        <Text size="sm" fw={500} mb={4} id={FILES}>
          {t("uploads.dialog.files", { count: wanted.length, size: formatBytes(sum(wanted)) })}
        </Text>
        <Box mah="max(280px, 45dvh)" style={{ overflowY: "auto" }} tabIndex={0} role="region" aria-labelledby={FILES}>
          {wanted.slice(0, SHOWN).map((file, index) => (
            <FileRow
              // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name, size and date
              key={`${file.name}-${file.size}-${file.lastModified}-${index}`}
              file={file}
              common={common}
              own={own.get(file) ?? null}
              onOwn={(options) => setOwnOf(file, options)}
              onRemove={() => (wanted.length === 1 ? forgetChosenFiles() : setLeftOut(new Set([...leftOut, file])))}
            />
          ))}
        </Box>
        {wanted.length > SHOWN ? (
          <Text size="sm" c="dimmed" mt={4}>
            {t("uploads.dialog.more", { count: wanted.length - SHOWN })}
          </Text>
        ) : null}
      </div>
      <Group justify="flex-end">
        <Button variant="default" onClick={forgetChosenFiles}>
          {t("actions.cancel")}
        </Button>
        <Button loading={isSending} onClick={() => void send()} data-autofocus>
          {t("uploads.dialog.send", { count: wanted.length })}
        </Button>
      </Group>
    </Stack>
  );
}

const sum = (files: readonly File[]) => files.reduce((bytes, file) => bytes + file.size, 0);
