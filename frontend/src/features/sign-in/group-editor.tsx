import { ActionIcon, Button, Group, MultiSelect, Paper, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useCollections } from "@/features/collections/use-collections";
import { ROLES, type Role } from "@/features/users/use-users";
import type { GroupMapping } from "./use-sign-in-settings";

interface GroupEditorProps {
  groups: GroupMapping[];
  onChange: (groups: GroupMapping[]) => void;
}

/** The map of groups: the role and the collections that each gives. */
export function GroupEditor({ groups, onChange }: GroupEditorProps) {
  const { t } = useTranslation();
  const set = (index: number, change: Partial<GroupMapping>) =>
    onChange(groups.map((group, at) => (at === index ? { ...group, ...change } : group)));
  return (
    <Stack gap="sm">
      {groups.length === 0 ? <Text size="sm">{t("signin:groups.none")}</Text> : null}
      {groups.map((group, index) => (
        <GroupFields
          // biome-ignore lint/suspicious/noArrayIndexKey: the name is what is being edited
          key={index}
          group={group}
          onChange={(change) => set(index, change)}
          onRemove={() => onChange(groups.filter((_, at) => at !== index))}
        />
      ))}
      <Group>
        <Button variant="default" onClick={() => onChange([...groups, { name: "", role: null, collections: [] }])}>
          {t("signin:groups.add")}
        </Button>
      </Group>
    </Stack>
  );
}

interface GroupFieldsProps {
  group: GroupMapping;
  onChange: (change: Partial<GroupMapping>) => void;
  onRemove: () => void;
}

function GroupFields({ group, onChange, onRemove }: GroupFieldsProps) {
  const { t } = useTranslation();
  const collections = (useCollections().data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const given = group.collections ?? [];
  const idsOf = (canWrite: boolean) =>
    given.filter((one) => one.can_write === canWrite).map((one) => one.collection_id);
  /** A collection is readable or writable, so choosing it in one list takes it out of the other. */
  const choose = (ids: string[], canWrite: boolean) =>
    onChange({
      collections: [
        ...given.filter((one) => one.can_write !== canWrite && !ids.includes(one.collection_id)),
        ...ids.map((collection_id) => ({ collection_id, can_write: canWrite })),
      ],
    });
  return (
    <Paper withBorder p="sm" radius="md" component="fieldset" m={0} aria-label={group.name || t("signin:groups.new")}>
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={t("signin:groups.name")}
          required
          value={group.name}
          maxLength={300}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Select
          w={180}
          label={t("users:form.role")}
          placeholder={t("signin:groups.noRole")}
          clearable
          data={ROLES.map((role) => ({ value: role, label: t(`account.role.${role}`) }))}
          value={group.role ?? null}
          onChange={(role) => onChange({ role: role as Role | null })}
        />
        <ActionIcon
          color="gray"
          size="lg"
          aria-label={t("signin:groups.remove", { name: group.name })}
          onClick={onRemove}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <MultiSelect
        mt="xs"
        label={t("signin:groups.reads")}
        data={collections}
        value={idsOf(false)}
        onChange={(ids) => choose(ids, false)}
        searchable
      />
      <MultiSelect
        mt="xs"
        label={t("signin:groups.writes")}
        data={collections}
        value={idsOf(true)}
        onChange={(ids) => choose(ids, true)}
        searchable
      />
    </Paper>
  );
}
