import { Anchor, AppShell, Burger, Group, Menu, NavLink, ScrollArea, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { BUILT_IN_VIEWS } from "@/features/documents/filters/use-saved-views";
import { ConnectionBanner } from "@/features/events/connection";
import { type Listener, useLiveUpdates } from "@/features/events/use-live-updates";
import { PreferencesMenuItems } from "@/features/preferences/preferences-menu";
import { AccountMenu } from "@/features/session/account-menu";
import type { Me } from "@/features/session/use-session";
import { DropOverlay } from "@/features/uploads/dialog/drop-overlay";
import { UploadDialog } from "@/features/uploads/dialog/upload-dialog";
import { UploadTray } from "@/features/uploads/tray/upload-tray";
import { noteUploadNews, openUploads, refreshUploads, useUploads } from "@/features/uploads/uploads";
import { usePageTitle } from "@/shared/page-title";
import { CountBadge } from "./count-badge";
import { Keyboard } from "./keyboard";
import { MissingCodeBanner } from "./missing-code";
import { ACCOUNT_LINKS, ADMINISTRATION_LINKS, LIBRARY_LINKS } from "./navigation";
import classes from "./shell.module.css";
import { LAYERS } from "./theme";

export function Shell({ me }: { me: Me }) {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  usePageTitle(titleOf(path, t));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer of a phone closes when the page changes
  useEffect(close, [path]);

  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", sm: "var(--lectern-edge)" }}
    >
      <Anchor href="#content" className="skip-link">
        {t("app.skipToContent")}
      </Anchor>
      <AppShell.Header className={classes.desk ?? ""}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t(isOpen ? "nav.close" : "nav.open")}
            />
            <Anchor component={Link} to="/home" underline="never" c="inherit">
              <Group gap={8} wrap="nowrap">
                <img src="/lectern.svg" alt="" width={26} height={26} />
                <Text ff="var(--lectern-font-serif)" fw={600} fz="xl" lts="-0.01em">
                  {t("app.name")}
                </Text>
              </Group>
            </Anchor>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <Keyboard me={me} />
            <AccountMenu me={me}>
              {ACCOUNT_LINKS.map(({ to, label, icon: Icon }) => (
                <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} stroke={1.6} aria-hidden />}>
                  {t(label)}
                </Menu.Item>
              ))}
              <PreferencesMenuItems />
            </AccountMenu>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" className={classes.desk ?? ""} aria-label={t("nav.main")}>
        <ScrollArea>
          <NavigationLinks path={path} isAdmin={me.role === "admin"} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main
        id="content"
        tabIndex={-1}
        pt="calc(var(--app-shell-header-offset) + 8px)"
        pb="calc(var(--lectern-edge) + var(--tray-height, 0px))"
      >
        <LiveUpdates />
        {me.can_write ? <Uploads userId={me.id} /> : null}
        <ConnectionBanner />
        <MissingCodeBanner />
        <Outlet />
        {/* Menus and lists are put here rather than beside the page, outside of its landmarks. */}
        <div id={LAYERS} />
      </AppShell.Main>
    </AppShell>
  );
}

/** A document names the window itself. */
function titleOf(path: string, t: TFunction): string | null {
  if (path.startsWith("/documents/") || path.startsWith("/d/")) return null;
  const link = [...LIBRARY_LINKS, ...ADMINISTRATION_LINKS, ...ACCOUNT_LINKS].find(({ to }) => to === path);
  return t(link?.label ?? "errors.notFoundTitle");
}

/** What needs attention, beside the page that shows it. */
const BADGES: Partial<Record<string, ReactNode>> = {
  "/documents": <CountBadge search={BUILT_IN_VIEWS[0].search} kind="failed" />,
  "/jobs": <CountBadge search={BUILT_IN_VIEWS[1].search} kind="working" />,
};

function NavigationLinks({ path, isAdmin }: { path: string; isAdmin: boolean }) {
  const { t } = useTranslation();
  const administration = ADMINISTRATION_LINKS.filter((link) => isAdmin || !link.adminOnly);
  const render = ({
    to,
    label,
    icon: Icon,
  }: {
    to: (typeof LIBRARY_LINKS | typeof ADMINISTRATION_LINKS)[number]["to"];
    label: (typeof LIBRARY_LINKS | typeof ADMINISTRATION_LINKS)[number]["label"];
    icon: (typeof LIBRARY_LINKS)[number]["icon"];
  }) => (
    <NavLink
      key={to}
      className={classes.link ?? ""}
      component={Link}
      to={to}
      label={t(label)}
      active={path === to || path.startsWith(`${to}/`)}
      aria-current={path === to ? "page" : undefined}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      rightSection={BADGES[to]}
    />
  );
  return (
    <>
      {LIBRARY_LINKS.map(render)}
      <Text size="xs" c="dimmed" fw={500} px="sm" pt="lg" pb={4}>
        {t("nav.administration")}
      </Text>
      {administration.map(render)}
    </>
  );
}

const LISTENER: Listener = { onNews: noteUploadNews, onRefetch: () => void refreshUploads() };

/** The one connection for news, for as long as somebody is signed in. */
function LiveUpdates() {
  useLiveUpdates(LISTENER);
  return null;
}

/** Dropping files anywhere, the questions about them, and the tray that follows them. */
function Uploads({ userId }: { userId: string }) {
  useEffect(() => openUploads(userId), [userId]);
  const hasUploads = useUploads().length > 0;
  return (
    <>
      <DropOverlay />
      <UploadDialog />
      {hasUploads ? <UploadTray /> : null}
    </>
  );
}
