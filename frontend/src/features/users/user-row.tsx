import { Badge, Box, Button, Group, Paper, Select, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/lib/format";
import { askBefore, openDialog } from "@/shared/dialog";
import { notifyDone, notifyError } from "@/shared/notify";
import { ResetForm } from "./reset-form";
import { TransferForm } from "./transfer-form";
import { nameOfUser, ROLES, type Role, type User, useUserMutations } from "./use-users";

/** A person: role, last sign-in, and what an administrator may do. Nobody changes their own role or standing here. */
export function UserRow({ user, isSelf }: { user: User; isSelf: boolean }) {
  const { t } = useTranslation();
  const { resetFactor, update } = useUserMutations();
  const name = nameOfUser(user);
  const change = (body: { role?: Role; is_active?: boolean }, done: string) =>
    update.mutate(
      { params: { path: { user_id: user.id } }, body },
      { onSuccess: () => notifyDone(done), onError: notifyError },
    );
  const setRole = (role: Role) => change({ role }, t("users:roleChanged", { name, role: t(`account.role.${role}`) }));
  const deactivate = () =>
    askBefore({
      title: t("users:deactivateTitle", { name }),
      text: t("users:deactivateText"),
      action: t("users:deactivate"),
      onConfirm: () => change({ is_active: false }, t("users:deactivated", { name })),
    });
  const reset = () => openDialog(t("users:resetOf", { name }), (close) => <ResetForm user={user} onDone={close} />);
  const transfer = () =>
    openDialog(t("users:transferOf", { name }), (close) => <TransferForm user={user} onDone={close} />);
  const askToResetFactor = () =>
    askBefore({
      title: t("users:resetFactorTitle", { name }),
      text: t("users:resetFactorText"),
      action: t("users:resetFactor"),
      onConfirm: () =>
        resetFactor.mutate(
          { params: { path: { user_id: user.id } } },
          { onSuccess: () => notifyDone(t("users:resetFactorDone", { name })), onError: notifyError },
        ),
    });
  return (
    <Paper component="li" withBorder p="sm" radius="md">
      <Group justify="space-between" gap="sm">
        <Box miw={0} style={{ flex: "1 1 16rem" }}>
          <Group gap="xs">
            <Text fw={600} truncate>
              {name}
            </Text>
            {isSelf ? <Badge variant="default">{t("users:you")}</Badge> : null}
            {user.has_second_factor ? <Badge variant="default">{t("users:secondFactor")}</Badge> : null}
            {user.is_active ? null : (
              <Badge variant="outline" color="red.9">
                {t("users:inactive")}
              </Badge>
            )}
          </Group>
          {user.name ? (
            <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
              {user.email}
            </Text>
          ) : null}
          <Text size="xs" c="dimmed">
            {user.last_sign_in_at
              ? t("users:lastSignIn", { moment: formatDateTime(user.last_sign_in_at) })
              : t("users:neverSignedIn")}
          </Text>
        </Box>
        <Group gap="xs">
          {isSelf ? (
            <Text size="sm">{t(`account.role.${user.role}`)}</Text>
          ) : (
            <Select
              w={160}
              size="xs"
              aria-label={t("users:roleOf", { name })}
              allowDeselect={false}
              disabled={update.isPending}
              data={ROLES.map((role) => ({ value: role, label: t(`account.role.${role}`) }))}
              value={user.role}
              onChange={(role) => role && role !== user.role && setRole(role as Role)}
            />
          )}
          <Button size="xs" variant="default" onClick={reset}>
            {t("users:resetPassword")}
          </Button>
          {user.has_second_factor && !isSelf ? (
            <Button size="xs" variant="default" onClick={askToResetFactor}>
              {t("users:resetFactor")}
            </Button>
          ) : null}
          <Button size="xs" variant="default" onClick={transfer}>
            {t("users:transfer")}
          </Button>
          {isSelf ? null : user.is_active ? (
            <Button size="xs" variant="default" onClick={deactivate}>
              {t("users:deactivate")}
            </Button>
          ) : (
            <Button
              size="xs"
              variant="default"
              onClick={() => change({ is_active: true }, t("users:activated", { name }))}
            >
              {t("users:activate")}
            </Button>
          )}
        </Group>
      </Group>
    </Paper>
  );
}
