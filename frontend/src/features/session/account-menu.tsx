import { Avatar, Menu, Text, UnstyledButton } from "@mantine/core";
import { modals } from "@mantine/modals";
import IconLogout from "@tabler/icons-react/dist/esm/icons/IconLogout.mjs";
import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { lazyCode } from "@/lib/load-code";
import { LoadingPage } from "@/shared/states";
import { type Me, useSignOut } from "./use-session";

const OwnPasswordForm = lazyCode(async () => ({
  default: (await import("./own-password-form")).OwnPasswordForm,
}));
const MODAL = "own-password";

export function AccountMenu({ me, children }: { me: Me; children?: ReactNode }) {
  const { t } = useTranslation();
  const signOut = useSignOut();
  const changePassword = () =>
    modals.open({
      modalId: MODAL,
      title: t("password.change"),
      closeButtonProps: { "aria-label": t("actions.close") },
      children: (
        <Suspense fallback={<LoadingPage />}>
          <OwnPasswordForm onDone={() => modals.close(MODAL)} />
        </Suspense>
      ),
    });
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={t("account.menu")}>
          <Avatar aria-hidden radius="xl" size={34} color="petrol" variant="filled" name={me.name} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate>
            {me.name}
          </Text>
          {me.role ? (
            <Text size="xs" c="dimmed">
              {t(`account.role.${me.role}`)}
            </Text>
          ) : null}
        </Menu.Label>
        {children}
        <Menu.Divider />
        <Menu.Item onClick={changePassword}>{t("password.change")}</Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {t("account.signOut")}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut({ everywhere: true })}>
          {t("account.signOutEverywhere")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
