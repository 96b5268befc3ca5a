import { Alert, Button, Group, List, Stack, Text, TextInput } from "@mantine/core";
import type { TFunction } from "i18next";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureWords } from "@/features/documents/status/document-status";
import { useSystem } from "@/features/system/use-system";
import { $api } from "@/lib/api/client";
import { useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";
import { formatDateTime } from "@/lib/format";
import { completeSentence, problemText } from "@/lib/i18n/problem-text";
import { CodeText } from "@/shared/code-text";
import { askBefore } from "@/shared/dialog";
import { focusOnMount } from "@/shared/focus-on-mount";
import { notifyDone, notifyError, notifyOutcome } from "@/shared/notify";
import { ErrorState, LoadingState, ProblemAlert } from "@/shared/states";
import type { Collection } from "./use-collections";

type Folder = components["schemas"]["FolderResponse"];
type Outcome = components["schemas"]["FolderOutcome"];

const PATH = "/api/v1/collections/{collection_id}/folder";
const INGEST = "/api/v1/collections/{collection_id}/ingest";
const REFRESH_MS = 5_000;

/** The directory of the server that a collection mirrors: where it is, the last scan, and what was refused. */
export function FolderPanel({ collection }: { collection: Collection }) {
  const target = { params: { path: { collection_id: collection.id } } };
  const { data, error, refetch } = $api.useQuery("get", PATH, target, { retry: false, refetchInterval: REFRESH_MS });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingState rows={2} />;
  return data ? <Watched folder={data} /> : <Unwatched collectionId={collection.id} />;
}

/** Ask for a folder to watch, or say how to switch the feature on. */
function Unwatched({ collectionId }: { collectionId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useSystem({ isLive: false });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={2} />;
  if (data.folder_roots.length > 0) return <FolderForm collectionId={collectionId} roots={data.folder_roots} />;
  return (
    <Stack gap="sm">
      <Text size="sm">{t("collections:folder.about")}</Text>
      <Alert color="gray" variant="default" title={t("collections:folder.off")}>
        <CodeText text={t("collections:folder.turnOn")} />
      </Alert>
    </Stack>
  );
}

const refusalWords = (code: string, t: TFunction) =>
  t(`collections:folder.refusal.${code}`, { defaultValue: failureWords({ code }, t).label });

function heldBackReason({ held_back, held_back_code, held_back_values = {} }: Outcome) {
  return completeSentence("collections", `folder.heldBackReason.${held_back_code}`, held_back_values) ?? held_back;
}

function FolderForm({ collectionId, roots }: { collectionId: string; roots: string[] }) {
  const { t } = useTranslation();
  const [path, setPath] = useState("");
  const onSuccess = useInvalidate("folders");
  const bind = $api.useMutation("put", PATH, { onSuccess });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    bind.mutate({ params: { path: { collection_id: collectionId } }, body: { path: path.trim() } });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">{t("collections:folder.about")}</Text>
        <TextInput
          ref={focusOnMount}
          label={t("collections:folder.path")}
          description={t("collections:folder.roots", { count: roots.length, roots: roots.join(", ") })}
          placeholder={roots[0] ?? ""}
          value={path}
          data-autofocus
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <ProblemAlert error={bind.error} />
        <Button type="submit" loading={bind.isPending} disabled={!path.trim()}>
          {t("collections:folder.watch")}
        </Button>
      </Stack>
    </form>
  );
}

function Watched({ folder }: { folder: Folder }) {
  const { t } = useTranslation();
  const onSuccess = useInvalidate("folders", "collections");
  const scan = $api.useMutation("post", INGEST, { onSuccess });
  const unbind = $api.useMutation("delete", PATH, { onSuccess });
  const target = { params: { path: { collection_id: folder.collection_id } } };
  const outcome = folder.last_outcome;
  return (
    <Stack gap="sm">
      <Text fw={500} style={{ overflowWrap: "anywhere" }}>
        {folder.path}
      </Text>
      <Text size="sm">
        {folder.last_scan_at
          ? t("collections:folder.scanned", { time: formatDateTime(folder.last_scan_at) })
          : t("collections:folder.notScanned")}{" "}
        {t("collections:folder.files", { count: folder.file_count })}
      </Text>
      {outcome ? (
        <Text size="sm" c="dimmed">
          {t("collections:folder.outcome", {
            added: outcome.added_count,
            updated: outcome.updated_count,
            pruned: outcome.pruned_count,
            refused: outcome.refused_count,
          })}
        </Text>
      ) : null}
      {outcome?.problem ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          <CodeText
            text={problemText({ code: outcome.problem_code ?? "", status: 0, title: "", detail: outcome.problem })}
          />
        </Text>
      ) : null}
      {outcome?.held_back ? (
        <Group justify="space-between">
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {t("collections:folder.heldBack")} {heldBackReason(outcome)}
          </Text>
          <ConfirmDeletions folder={folder} />
        </Group>
      ) : null}
      {outcome && outcome.refused.length > 0 ? (
        <section aria-label={t("collections:folder.refused")}>
          <Text size="sm" fw={500}>
            {t("collections:folder.refused")}
          </Text>
          <List size="sm" style={{ overflowWrap: "anywhere" }}>
            {outcome.refused.map(({ path, code }) => (
              <List.Item key={path}>
                {path}: {refusalWords(code, t)}
              </List.Item>
            ))}
          </List>
        </section>
      ) : null}
      <Group gap="xs">
        <Button
          loading={scan.isPending || folder.is_scan_requested}
          onClick={() =>
            scan.mutate({ ...target, body: { confirm_prune: false, dry_run: false } }, { onError: notifyError })
          }
        >
          {t("collections:folder.scan")}
        </Button>
        <Button
          variant="default"
          loading={unbind.isPending}
          onClick={() => void notifyOutcome(unbind.mutateAsync(target), t("collections:folder.stopped"))}
        >
          {t("collections:folder.stop")}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        {t("collections:folder.stopNote")}
      </Text>
    </Stack>
  );
}

/** Count the documents whose files are missing, ask, and move them to the trash. */
function ConfirmDeletions({ folder }: { folder: Folder }) {
  const { t } = useTranslation();
  const { mutateAsync, isPending } = $api.useMutation("post", INGEST, {
    onSuccess: useInvalidate("folders", "documents"),
  });
  const params = { path: { collection_id: folder.collection_id } };
  const scan = (body: { confirm_prune: boolean; dry_run: boolean }) => mutateAsync({ params, body });
  async function ask() {
    const plan = await scan({ confirm_prune: true, dry_run: true });
    if (plan.pruned_count === 0) return scan({ confirm_prune: false, dry_run: false });
    return askBefore({
      title: t("collections:folder.pruneTitle", { count: plan.pruned_count }),
      text: t("collections:folder.pruneText"),
      action: t("documents.toTrash"),
      onConfirm: () =>
        void scan({ confirm_prune: true, dry_run: false })
          .then(({ pruned_count: count }) => notifyDone(t("documents.bulk.done.delete", { count })))
          .catch(notifyError),
    });
  }
  return (
    <Button variant="danger" loading={isPending} onClick={() => void ask().catch(notifyError)}>
      {t("collections:folder.prune")}
    </Button>
  );
}
