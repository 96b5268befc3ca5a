import { ActionIcon, Box, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Document } from "@/features/documents/status/document-status";
import { $api } from "@/lib/api/client";
import { keyOf } from "@/lib/api/keys";
import { formatDate } from "@/lib/format";
import { FormStack } from "@/shared/form-stack";
import { notifyDone, notifyError } from "@/shared/notify";
import { ErrorState, LoadingState, PlainList } from "@/shared/states";

const PATH = "/api/v1/documents/{document_id}/grants";

/** Who may read a document and why, and a form to let one more person read it. */
export function SharePanel({ document }: { document: Document }) {
  const { t } = useTranslation();
  const { access, add, remove } = useGrants(document.id);
  const form = useForm({ initialValues: { email: "" } });
  const path = { document_id: document.id };
  const submit = form.onSubmit((body) =>
    add.mutate({ params: { path }, body }, { onSuccess: () => form.setValues({ email: "" }) }),
  );
  if (access.error) return <ErrorState error={access.error} onRetry={() => void access.refetch()} />;
  if (!access.data) return <LoadingState rows={3} />;
  const { owner, collection, is_collection_open, grants } = access.data;

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
      <FormStack onSubmit={submit} mutation={add} submitLabel={t("sharing:add")}>
        <TextInput
          type="email"
          autoComplete="off"
          label={t("sharing:email")}
          description={t("sharing:emailHint")}
          required
          maxLength={254}
          data-autofocus
          {...form.getInputProps("email")}
        />
      </FormStack>
      <section aria-labelledby="access">
        <Title order={3} size="h6" id="access" mb="xs">
          {t("sharing:access")}
        </Title>
        <PlainList gap="sm">
          {owner ? <Access name={owner.name || owner.email} by={t("sharing:owner")} /> : null}
          <Access name={collection} by={t(is_collection_open ? "sharing:open" : "sharing:closed")} />
          <Access name={t("sharing:admins")} by={t("sharing:adminsHint")} />
          {grants.map(({ id, email, granted_at }) => (
            <Access key={id} name={email} by={t("sharing:shared", { when: formatDate(granted_at) })}>
              <ActionIcon color="gray" aria-label={t("sharing:remove", { email })} onClick={() => end(id, email)}>
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </Access>
          ))}
        </PlainList>
      </section>
    </Stack>
  );
}

function Access({ name, by, children }: { name: string; by: string; children?: ReactNode }) {
  return (
    <Group component="li" justify="space-between" gap="sm" wrap="nowrap">
      <Box miw={0} style={{ overflowWrap: "anywhere" }}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {by}
        </Text>
      </Box>
      {children}
    </Group>
  );
}

function useGrants(documentId: string) {
  const client = useQueryClient();
  const params = { path: { document_id: documentId } };
  const queryKey = keyOf(PATH, { params });
  return {
    access: $api.useQuery("get", PATH, { params }),
    add: $api.useMutation("put", PATH, { onSuccess: (data) => client.setQueryData(queryKey, data) }),
    remove: $api.useMutation("delete", `${PATH}/{grant_id}`, {
      onSuccess: () => client.invalidateQueries({ queryKey }),
    }),
  };
}
