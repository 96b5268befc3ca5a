import { Menu, Text, UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { openDialog } from "@/shared/dialog";
import styles from "./account-menu.module.css";
import { OwnPasswordForm } from "./own-password-form";
import { SignOutEverywhereForm } from "./sign-out-everywhere-form";
import { type Me, useSignOut } from "./use-session";

export function AccountMenu({ me, children }: { me: Me; children?: ReactNode }) {
  const { t } = useTranslation();
  const signOut = useSignOut();
  const changePassword = () => openDialog(t("password.change"), (close) => <OwnPasswordForm onDone={close} />);
  const signOutEverywhere = () => openDialog(t("account.signOutEverywhere"), () => <SignOutEverywhereForm />);
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        {/* Who speaks to the browser says what is to be seen: the letters are part of the name. */}
        <UnstyledButton aria-label={`${initialsOf(me.name)}, ${t("account.menu")}`}>
          <span className={styles.initials}>{initialsOf(me.name)}</span>
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
        {me.has_password ? <Menu.Item onClick={changePassword}>{t("password.change")}</Menu.Item> : null}
        <Menu.Item onClick={() => void signOut()}>{t("account.signOut")}</Menu.Item>
        <Menu.Item onClick={signOutEverywhere}>{t("account.signOutEverywhere")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Return the initials of the first two words, or the first two letters of a single word. */
function initialsOf(name: string): string {
  const [first = [], second] = name
    .trim()
    .split(/\s+/)
    .map((word) => [...word]);
  return (second ? [first[0], second[0]] : first.slice(0, 2)).join("").toUpperCase();
}
