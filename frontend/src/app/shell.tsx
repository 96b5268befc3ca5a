import { Anchor, AppShell, Burger, Group, Menu, ScrollArea, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserShield } from "@tabler/icons-react";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { notePasswordNews } from "@/features/documents/status/tried-passwords";
import { ConnectionBanner } from "@/features/events/connection";
import { type Listener, useLiveUpdates } from "@/features/events/use-live-updates";
import { PreferencesMenuItems } from "@/features/preferences/preferences-menu";
import { AccountMenu } from "@/features/session/account-menu";
import type { Me } from "@/features/session/use-session";
import { offerFiles } from "@/features/uploads/dialog/chosen-files";
import { DropOverlay } from "@/features/uploads/dialog/drop-overlay";
import { takeSharedFiles } from "@/features/uploads/dialog/shared-files";
import { UploadDialog } from "@/features/uploads/dialog/upload-dialog";
import { UploadTray } from "@/features/uploads/tray/upload-tray";
import { noteUploadNews, openUploads, refreshUploads, useUploads } from "@/features/uploads/uploads";
import { usePageTitle } from "@/shared/page-title";
import { Keyboard } from "./keyboard";
import { MissingCodeBanner } from "./missing-code";
import { LIBRARY_LINKS, SETTINGS_LINKS } from "./navigation";
import classes from "./shell.module.css";
import { isWithin, Sidebar } from "./sidebar";
import { LAYERS } from "./theme";

export function Shell({ me }: { me: Me }) {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isInSettings = SETTINGS_LINKS.some(({ to }) => isWithin(path, to));
  usePageTitle(titleOf(path, t));

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
            <Anchor component={Link} to="/" underline="never" c="inherit">
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
              <Menu.Item
                component={Link}
                to="/security"
                leftSection={<IconUserShield size={16} stroke={1.6} aria-hidden />}
              >
                {t("nav.security")}
              </Menu.Item>
              <PreferencesMenuItems />
            </AccountMenu>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        className={`${classes.desk} ${isOpen ? "" : classes.closed}`}
        aria-label={t(isInSettings ? "nav.settings" : "nav.main")}
      >
        <ScrollArea>
          <Sidebar path={path} isInSettings={isInSettings} me={me} onChosen={close} />
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

/** Documents, searches and questions name the window themselves. */
function titleOf(path: string, t: TFunction): string | null {
  if (path.startsWith("/documents/") || path.startsWith("/d/")) return null;
  if (path === "/search" || path === "/ask") return null;
  const link = [...LIBRARY_LINKS, ...SETTINGS_LINKS].find(({ to }) => to === path);
  return t(link?.label ?? "errors.notFoundTitle");
}

const LISTENER: Listener = {
  onNews: (news) => {
    noteUploadNews(news);
    notePasswordNews(news);
  },
  onRefetch: () => void refreshUploads(),
};

/** The one connection for news, for as long as somebody is signed in. */
function LiveUpdates() {
  useLiveUpdates(LISTENER);
  return null;
}

/** Dropping files anywhere, the questions about them, and the tray that follows them. */
function Uploads({ userId }: { userId: string }) {
  useEffect(() => openUploads(userId), [userId]);
  useEffect(() => void takeSharedFiles().then(offerFiles).catch(reportError), []);
  const hasUploads = useUploads().length > 0;
  return (
    <>
      <DropOverlay />
      <UploadDialog />
      {hasUploads ? <UploadTray /> : null}
    </>
  );
}
