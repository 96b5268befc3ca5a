import { ActionIcon, Badge, Box, Button, Group, Menu, Paper, Text, Title } from "@mantine/core";
import {
  IconDots,
  IconFolderSearch,
  IconLock,
  IconPencil,
  IconStar,
  IconTrash,
  IconUsers,
  IconWorld,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { openDialog } from "@/shared/dialog";
import { notifyError } from "@/shared/notify";
import { TextLink } from "@/shared/text-link";
import { CollectionForm } from "./collection-form";
import { DeleteForm } from "./delete-form";
import { FolderPanel } from "./folder-panel";
import { MembersPanel } from "./members-panel";
import { type Collection, useCollectionMutations } from "./use-collections";

/** The description with which the first collection is made. It is stored in English. */
const SHIPPED_DESCRIPTION = "Everything that has no other place.";

interface CollectionCardProps {
  collection: Collection;
  isAdmin: boolean;
}

/** A collection: what it is for, who reaches it, how much is in it. */
export function CollectionCard({ collection, isAdmin }: CollectionCardProps) {
  const { t } = useTranslation();
  const { name, description, is_open, is_default, document_count, can_write } = collection;
  const Access = is_open ? IconWorld : IconLock;
  return (
    <Paper component="li" withBorder p="md" radius="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Box miw={0}>
          <Title order={2} size="h4" style={{ overflowWrap: "anywhere" }}>
            {name}
          </Title>
          {description ? (
            <Text size="sm" c="dimmed" mt={2}>
              {description === SHIPPED_DESCRIPTION ? t("collections:shippedDescription") : description}
            </Text>
          ) : null}
        </Box>
        {isAdmin ? <CollectionMenu collection={collection} /> : null}
      </Group>
      <Group gap="xs" mt="sm">
        <TextLink to="/documents" search={{ collections: [name] }} size="sm">
          {t("tags.documents", { count: document_count })}
        </TextLink>
        <TextLink to="/ask" search={{ collections: [name] }} size="sm" aria-label={t("tags.ask", { name })}>
          {t("nav.ask")}
        </TextLink>
        <Badge variant="default" leftSection={<Access size={12} aria-hidden />} fw={500}>
          {t(is_open ? "collections:open" : "collections:closed")}
        </Badge>
        {is_default ? (
          <Badge variant="light" fw={500} leftSection={<IconStar size={12} aria-hidden />}>
            {t("collections:default")}
          </Badge>
        ) : null}
        {can_write ? null : (
          <Badge variant="default" fw={500}>
            {t("collections:readOnly")}
          </Badge>
        )}
        {isAdmin && !is_open ? (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconUsers size={12} aria-hidden />}
            aria-label={t("collections:members.of", { name })}
            onClick={() =>
              openDialog(t("collections:members.of", { name }), () => <MembersPanel collection={collection} />)
            }
          >
            {t("collections:members.title")}
          </Button>
        ) : null}
      </Group>
    </Paper>
  );
}

function CollectionMenu({ collection }: { collection: Collection }) {
  const { t } = useTranslation();
  const { update } = useCollectionMutations();
  const makeDefault = () =>
    update.mutate(
      { params: { path: { collection_id: collection.id } }, body: { is_default: true } },
      { onError: notifyError },
    );
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <ActionIcon color="gray" aria-label={t("documents.actionsOf", { title: collection.name })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={() =>
            openDialog(t("collections:editOne", { name: collection.name }), (close) => (
              <CollectionForm collection={collection} onDone={close} />
            ))
          }
        >
          {t("collections:edit")}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFolderSearch size={16} aria-hidden />}
          onClick={() =>
            openDialog(t("collections:folder.title", { name: collection.name }), () => (
              <FolderPanel collection={collection} />
            ))
          }
        >
          {t("collections:folder.action")}
        </Menu.Item>
        {collection.is_default ? null : (
          <>
            <Menu.Item leftSection={<IconStar size={16} aria-hidden />} onClick={makeDefault}>
              {t("collections:makeDefault")}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() =>
                openDialog(t("collections:delete.title", { name: collection.name }), (close) => (
                  <DeleteForm collection={collection} onDone={close} />
                ))
              }
            >
              {t("actions.delete")}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
