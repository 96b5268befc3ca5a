import { ActionIcon, Checkbox, Group, Menu, Paper, Text } from "@mantine/core";
import { IconArrowMerge, IconDots, IconPencil, IconTrash, IconUserShare } from "@tabler/icons-react";
import { memo, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { returnFocus } from "@/shared/return-focus";
import { PlainList } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import { TagChip } from "./tag-chip";
import styles from "./tags-list.module.css";
import { useTagDialogs } from "./use-tag-dialogs";
import type { Tag } from "./use-tags";

interface TagsListProps {
  tags: Tag[];
  canWrite: boolean;
  selected: ReadonlySet<string>;
  onToggle: (tagId: string) => void;
}

/** Tags with their counts; a click on one shows its documents. */
export function TagsList({ tags, canWrite, selected, onToggle }: TagsListProps) {
  return (
    <PlainList gap={6}>
      {tags.map((tag) => (
        <TagRow key={tag.id} tag={tag} canWrite={canWrite} isSelected={selected.has(tag.id)} onToggle={onToggle} />
      ))}
    </PlainList>
  );
}

interface TagRowProps {
  tag: Tag;
  canWrite: boolean;
  isSelected: boolean;
  onToggle: (tagId: string) => void;
}

interface TagMenuProps {
  tag: Tag;
  canWrite: boolean;
}

const TagRow = memo(function TagRow({ tag, canWrite, isSelected, onToggle }: TagRowProps) {
  const { t } = useTranslation();
  return (
    <Paper component="li" withBorder px="sm" py={8} radius="md">
      <Group wrap="nowrap" gap="sm">
        {canWrite ? (
          <Checkbox
            size="sm"
            checked={isSelected}
            onChange={() => onToggle(tag.id)}
            aria-label={t("documents.select", { title: tag.name })}
          />
        ) : null}
        <Group flex={1} miw={0} gap="4px var(--mantine-spacing-sm)">
          <div className={styles.facts}>
            <TextLink to="/documents" search={{ tags: [tag.name] }} underline="never" miw={0}>
              <TagChip name={tag.name} color={tag.color} />
            </TextLink>
            {tag.description ? (
              <Text size="sm" c="dimmed" lineClamp={2}>
                {tag.description}
              </Text>
            ) : null}
          </div>
          <TextLink to="/documents" search={{ tags: [tag.name] }} size="sm" style={{ whiteSpace: "nowrap" }}>
            {t("tags.documents", { count: tag.document_count })}
          </TextLink>
          <TextLink to="/ask" search={{ tags: [tag.name] }} size="sm" aria-label={t("tags.ask", { name: tag.name })}>
            {t("nav.ask")}
          </TextLink>
        </Group>
        {canWrite || tag.is_owner ? <TagMenu tag={tag} canWrite={canWrite} /> : null}
      </Group>
    </Paper>
  );
});

function TagMenu({ tag, canWrite }: TagMenuProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => (isOpen ? returnFocus : undefined), [isOpen]);
  const button = (
    <ActionIcon
      color="gray"
      aria-haspopup="menu"
      aria-expanded={isOpen}
      aria-label={t("documents.actionsOf", { title: tag.name })}
      data-focus={`actions-${tag.id}`}
      onClick={() => setIsOpen(!isOpen)}
    >
      <IconDots size={18} aria-hidden />
    </ActionIcon>
  );
  return isOpen ? (
    <Menu opened onChange={setIsOpen} position="bottom-end" shadow="md">
      <Menu.Target>{button}</Menu.Target>
      <TagMenuItems tag={tag} canWrite={canWrite} />
    </Menu>
  ) : (
    button
  );
}

/** Owners without write access may only share. */
function TagMenuItems({ tag, canWrite }: TagMenuProps) {
  const { t } = useTranslation();
  const dialogs = useTagDialogs();
  const share = (
    <Menu.Item leftSection={<IconUserShare size={16} aria-hidden />} onClick={() => dialogs.share(tag)}>
      {t("documents.share")}
    </Menu.Item>
  );
  if (!canWrite) return <Menu.Dropdown>{share}</Menu.Dropdown>;
  return (
    <Menu.Dropdown>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => dialogs.edit(tag)}>
        {t("tags.edit")}
      </Menu.Item>
      <Menu.Item leftSection={<IconArrowMerge size={16} aria-hidden />} onClick={() => dialogs.merge([tag])}>
        {t("tags.merge.title")}
      </Menu.Item>
      {share}
      <Menu.Divider />
      <Menu.Item
        c="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => dialogs.askToRemove([tag])}
      >
        {t("actions.delete")}
      </Menu.Item>
    </Menu.Dropdown>
  );
}
