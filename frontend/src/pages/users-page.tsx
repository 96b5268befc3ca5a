import { Button, Stack } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "@/features/session/admins-only";
import { useMe } from "@/features/session/use-session";
import { useUsers } from "@/features/users/use-users";
import { UserForm } from "@/features/users/user-form";
import { UserRow } from "@/features/users/user-row";
import { openDialog } from "@/shared/dialog";
import { PageHead } from "@/shared/page-head";
import { ErrorState, LoadingState, MoreButton, PlainList } from "@/shared/states";

export function UsersPage() {
  const { t } = useTranslation();
  const create = () => openDialog(t("users:new"), (close) => <UserForm onDone={close} />);
  return (
    <AdminsOnly title={t("nav.users")}>
      <Stack maw={880} gap={0}>
        <PageHead title={t("nav.users")} about={t("users:about")}>
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={create}>
            {t("users:new")}
          </Button>
        </PageHead>
        <People />
      </Stack>
    </AdminsOnly>
  );
}

function People() {
  const { t } = useTranslation();
  const { me } = useMe();
  const list = useUsers();
  const { data, error, refetch } = list;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  return (
    <>
      <PlainList>
        {data.pages
          .flatMap((page) => page.items)
          .map((user) => (
            <UserRow key={user.id} user={user} isSelf={user.id === me?.id} />
          ))}
      </PlainList>
      <MoreButton query={list}>{t("users:more")}</MoreButton>
    </>
  );
}
