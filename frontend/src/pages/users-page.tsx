import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconUserPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "@/features/session/admins-only";
import { useMe } from "@/features/session/use-session";
import { useUsers } from "@/features/users/use-users";
import { UserForm } from "@/features/users/user-form";
import { UserRow } from "@/features/users/user-row";
import { ErrorState, LoadingState } from "@/shared/states";

const MODAL = "user-new";

export function UsersPage() {
  const { t } = useTranslation();
  const create = () =>
    modals.open({
      modalId: MODAL,
      title: t("users:new"),
      closeButtonProps: { "aria-label": t("actions.close") },
      children: <UserForm onDone={() => modals.close(MODAL)} />,
    });
  return (
    <AdminsOnly title={t("nav.users")}>
      <Stack maw={920} mx="auto" gap="md">
        <Group justify="space-between">
          <Title order={1} size="h2">
            {t("nav.users")}
          </Title>
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={create}>
            {t("users:new")}
          </Button>
        </Group>
        <Text c="dimmed">{t("users:about")}</Text>
        <People />
      </Stack>
    </AdminsOnly>
  );
}

function People() {
  const { t } = useTranslation();
  const { me } = useMe();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useUsers();
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  return (
    <>
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: "none" }}>
        {data.pages
          .flatMap((page) => page.items)
          .map((user) => (
            <UserRow key={user.id} user={user} isSelf={user.id === me?.id} />
          ))}
      </Stack>
      {hasNextPage ? (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("users:more")}
        </Button>
      ) : null}
    </>
  );
}
