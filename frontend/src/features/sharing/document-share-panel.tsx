import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Document } from "@/features/documents/status/document-status";
import { $api } from "@/lib/api/client";
import { useInvalidate } from "@/lib/api/keys";
import { formatDate } from "@/lib/format";
import { notifyDone, notifyError } from "@/shared/notify";
import { ErrorState, LoadingState } from "@/shared/states";
import { ChangeOwner } from "./change-owner";
import { Access, AccessList, ShareForm } from "./parts";

const PATH = "/api/v1/documents/{document_id}/grants";

/** Who may read a document and why, and a form to let one more person read it. */
export function DocumentSharePanel({ document }: { document: Document }) {
  const { t } = useTranslation();
  const { access, add, changeOwner, remove } = useGrants(document.id);
  const path = { document_id: document.id };
  if (access.error) return <ErrorState error={access.error} onRetry={() => void access.refetch()} />;
  if (!access.data) return <LoadingState rows={3} />;
  const { owner, collection, is_collection_open, grants, tag_shares } = access.data;

  const end = (id: string, email: string) =>
    remove.mutate(
      { params: { path: { ...path, grant_id: id } } },
      { onSuccess: () => notifyDone(t("sharing:removed", { email })), onError: notifyError },
    );

  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t("sharing:about")}
      </Text>
      <ShareForm
        mutation={add}
        onShare={(email, onDone) => add.mutate({ params: { path }, body: { email } }, { onSuccess: onDone })}
      />
      <AccessList>
        {owner ? <Access name={owner.name || owner.email} by={t("sharing:owner")} /> : null}
        <Access name={collection} by={t(is_collection_open ? "sharing:open" : "sharing:closed")} />
        <Access name={t("sharing:admins")} by={t("sharing:adminsHint")} />
        {grants.map(({ id, email, granted_at }) => (
          <Access
            key={id}
            name={email}
            by={t("sharing:shared", { when: formatDate(granted_at) })}
            onEnd={() => end(id, email)}
          />
        ))}
        {tag_shares.map(({ tag, email }) => (
          <Access key={`${tag} ${email}`} name={email} by={t("sharing:byTag", { tag })} />
        ))}
      </AccessList>
      <ChangeOwner
        mutation={changeOwner}
        onChange={(email, onDone) => changeOwner.mutate({ params: { path }, body: { email } }, { onSuccess: onDone })}
      />
    </Stack>
  );
}

function useGrants(documentId: string) {
  const onSuccess = useInvalidate("grants");
  return {
    access: $api.useQuery("get", PATH, { params: { path: { document_id: documentId } } }),
    add: $api.useMutation("put", PATH, { onSuccess }),
    changeOwner: $api.useMutation("put", `${PATH}/owner`, { onSuccess }),
    remove: $api.useMutation("delete", `${PATH}/{grant_id}`, { onSuccess }),
  };
}
