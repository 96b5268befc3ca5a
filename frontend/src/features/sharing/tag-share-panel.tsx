import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Tag } from "@/features/tags/use-tags";
import { $api } from "@/lib/api/client";
import { useInvalidate } from "@/lib/api/keys";
import { formatDate } from "@/lib/format";
import { notifyDone, notifyError } from "@/shared/notify";
import { ErrorState, LoadingState } from "@/shared/states";
import { ChangeOwner } from "./change-owner";
import { Access, AccessList, ShareForm } from "./parts";

const PATH = "/api/v1/tags/{tag_id}/grants";

/** With whom the documents of a tag are shared, and a form to share them with one more person. */
export function TagSharePanel({ tag }: { tag: Tag }) {
  const { t } = useTranslation();
  const path = { tag_id: tag.id };
  const { data, error, refetch } = $api.useQuery("get", PATH, { params: { path } });
  const onSuccess = useInvalidate("tagGrants");
  const add = $api.useMutation("put", PATH, { onSuccess });
  const changeOwner = $api.useMutation("put", `${PATH}/owner`, { onSuccess });
  const remove = $api.useMutation("delete", `${PATH}/{grant_id}`, { onSuccess, onError: notifyError });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={3} />;

  const end = (id: string, email: string) =>
    remove.mutate(
      { params: { path: { ...path, grant_id: id } } },
      { onSuccess: () => notifyDone(t("sharing:removed", { email })) },
    );
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t("sharing:aboutTag", { count: data.documents })}
      </Text>
      <ShareForm
        mutation={add}
        onShare={(email, onDone) => add.mutate({ params: { path }, body: { email } }, { onSuccess: onDone })}
      />
      {data.owner ? (
        <Text size="sm">{t("sharing:ownerOfTag", { name: data.owner.name || data.owner.email })}</Text>
      ) : null}
      {data.grants.length > 0 ? (
        <AccessList>
          {data.grants.map(({ id, email, granted_at, granted_by }) => (
            <Access
              key={id}
              name={email}
              by={t("sharing:sharedBy", { when: formatDate(granted_at), who: granted_by })}
              onEnd={() => end(id, email)}
            />
          ))}
        </AccessList>
      ) : null}
      <ChangeOwner
        mutation={changeOwner}
        onChange={(email, onDone) => changeOwner.mutate({ params: { path }, body: { email } }, { onSuccess: onDone })}
      />
    </Stack>
  );
}
