import { ActionIcon, Box, Button, Group, Select, Stack, Switch, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notifyError } from "@/shared/notify";
import { ErrorState, LoadingState } from "@/shared/states";
import type { Collection } from "./use-collections";
import { useMembers } from "./use-collections";

/** The members of a collection and their permissions. */
export function MembersPanel({ collection }: { collection: Collection }) {
  const { t } = useTranslation();
  const { members, users, put, remove } = useMembers(collection.id);
  const [userId, setUserId] = useState<string | null>(null);
  if (members.error) return <ErrorState error={members.error} onRetry={() => void members.refetch()} />;
  if (!members.data) return <LoadingState rows={3} />;
  const taken = new Set(members.data.map((member) => member.user_id));
  // Administrators reach every collection: to make them members would say nothing.
  const others = (users.data?.items ?? []).filter((user) => user.role !== "admin" && !taken.has(user.id));
  const readers = new Set(users.data?.items.filter(({ role }) => role === "reader").map(({ id }) => id));
  const set = (user: string, canWrite: boolean) =>
    put.mutate(
      { params: { path: { collection_id: collection.id, user_id: user } }, body: { can_write: canWrite } },
      { onError: notifyError },
    );
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t("collections:members.about")}
      </Text>
      {members.data.length === 0 ? <Text size="sm">{t("collections:members.none")}</Text> : null}
      {members.data.map((member) => (
        <Group key={member.user_id} justify="space-between" gap={4}>
          {/* Who is let in is named in full; what the person may do is below where both have no room. */}
          <Box flex="1 1 210px" miw={0} style={{ overflowWrap: "anywhere" }}>
            <Text size="sm" fw={500}>
              {member.name}
            </Text>
            <Text size="xs" c="dimmed">
              {member.email}
            </Text>
          </Box>
          <Group gap="sm" wrap="nowrap" flex="0 0 auto">
            {readers.has(member.user_id) ? (
              <Text size="sm" c="dimmed">
                {t("collections:members.reader")}
              </Text>
            ) : (
              <Switch
                size="sm"
                styles={{ label: { whiteSpace: "nowrap" } }}
                label={t("collections:members.canWrite")}
                aria-label={t("collections:members.canWriteOf", { name: member.name })}
                checked={member.can_write}
                onChange={(event) => set(member.user_id, event.currentTarget.checked)}
              />
            )}
            <ActionIcon
              color="gray"
              aria-label={t("collections:members.remove", { name: member.name })}
              onClick={() =>
                remove.mutate(
                  { params: { path: { collection_id: collection.id, user_id: member.user_id } } },
                  { onError: notifyError },
                )
              }
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
      ))}
      <Group align="flex-end" wrap="nowrap">
        <Select
          flex={1}
          label={t("collections:members.add")}
          placeholder={others.length === 0 ? t("collections:members.nobody") : t("collections:members.choose")}
          data={others.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
          value={userId}
          onChange={setUserId}
          searchable
          limit={50}
          disabled={others.length === 0}
        />
        <Button
          disabled={!userId}
          loading={put.isPending}
          onClick={() => {
            if (userId) set(userId, false);
            setUserId(null);
          }}
        >
          {t("collections:members.addAction")}
        </Button>
      </Group>
    </Stack>
  );
}
