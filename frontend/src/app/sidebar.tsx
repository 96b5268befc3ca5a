import { NavLink, type NavLinkProps, Text } from "@mantine/core";
import { IconArrowLeft, IconBookmark, IconSettings } from "@tabler/icons-react";
import { createLink, Link, useRouterState } from "@tanstack/react-router";
import { type ComponentPropsWithRef, Fragment, type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { BUILT_IN_VIEWS, type SavedView, useSavedViews } from "@/features/documents/filters/use-saved-views";
import type { Me } from "@/features/session/use-session";
import { CountBadge } from "./count-badge";
import { LIBRARY_LINKS, type PageLink, settingsFor } from "./navigation";
import classes from "./shell.module.css";

/** What needs attention, beside the page that shows it. */
const BADGES: Partial<Record<string, ReactNode>> = {
  "/documents": <CountBadge search={BUILT_IN_VIEWS[0].search} kind="failed" />,
  "/jobs": <CountBadge search={BUILT_IN_VIEWS[1].search} kind="working" />,
};
const GROUPS = [
  { group: "account", label: "account.menu" },
  { group: "administration", label: "nav.administration" },
] as const;

export const isWithin = (path: string, to: string) => path === to || path.startsWith(`${to}/`);

interface SidebarProps {
  path: string;
  isInSettings: boolean;
  me: Me;
  /** A page was chosen: the drawer of a phone closes. */
  onChosen: () => void;
}

/** The pages of the library, or those of the settings while one of them is open. */
export function Sidebar({ path, isInSettings, me, onChosen }: SidebarProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const isSwitched = useRef(false);
  const before = useRef(isInSettings);
  const settings = settingsFor(me.role === "admin");

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the page changes
  useEffect(() => {
    // the link that was used is gone: the focus goes to the open page in the other list, and a drawer stays
    const hasSwitched = isSwitched.current && before.current !== isInSettings;
    isSwitched.current = false;
    before.current = isInSettings;
    if (hasSwitched) list.current?.querySelector<HTMLElement>("[aria-current]")?.focus();
    else onChosen();
  }, [path]);

  const render = ({ to, label, icon: Icon }: PageLink) => (
    <NavLink
      key={to}
      className={classes.link ?? ""}
      component={Link}
      to={to}
      label={t(label)}
      active={isWithin(path, to)}
      aria-current={path === to ? "page" : undefined}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      rightSection={BADGES[to]}
      onClick={() => path === to && onChosen()}
    />
  );
  const renderSwitch = (to: PageLink["to"], label: string, Icon: typeof IconSettings) => (
    <NavLink
      className={classes.link ?? ""}
      component={Link}
      to={to}
      label={label}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      onClick={() => {
        isSwitched.current = true;
      }}
    />
  );
  if (!isInSettings) {
    return (
      <div ref={list}>
        {LIBRARY_LINKS.map(render)}
        <Views userId={me.id} onChosen={onChosen} />
        <div className={classes.apart}>{renderSwitch("/keys", t("nav.settings"), IconSettings)}</div>
      </div>
    );
  }
  return (
    <div ref={list}>
      {renderSwitch("/", t("nav.library"), IconArrowLeft)}
      {GROUPS.map(({ group, label }) => (
        <Fragment key={group}>
          <GroupLabel>{t(label)}</GroupLabel>
          {settings.filter((link) => link.group === group).map(render)}
        </Fragment>
      ))}
    </div>
  );
}

/** The person's saved views. Nothing before one is saved. */
function Views({ userId, onChosen }: { userId: string; onChosen: () => void }) {
  const { t } = useTranslation();
  const { views } = useSavedViews(userId);
  const search = useRouterState({ select: ({ location }) => JSON.stringify(location.search) });
  if (views.length === 0) return null;
  return (
    <>
      <GroupLabel>{t("documents.views.title")}</GroupLabel>
      {views.map((view) => (
        <ViewLink key={view.name} view={view} isOpen={search === JSON.stringify(view.search)} onChosen={onChosen} />
      ))}
    </>
  );
}

type NavPageProps = NavLinkProps & Omit<ComponentPropsWithRef<"a">, keyof NavLinkProps>;

/** A link of the navigation that takes filters. */
const NavPage = createLink((props: NavPageProps) => <NavLink component="a" {...props} />);

interface ViewLinkProps {
  view: SavedView;
  isOpen: boolean;
  onChosen: () => void;
}

function ViewLink({ view: { name, search }, isOpen, onChosen }: ViewLinkProps) {
  return (
    <NavPage
      className={classes.link ?? ""}
      to="/documents"
      search={search}
      label={name}
      title={name}
      noWrap
      active={isOpen}
      leftSection={<IconBookmark size={18} stroke={1.6} aria-hidden />}
      rightSection={<CountBadge search={search} kind="view" />}
      onClick={onChosen}
    />
  );
}

const GroupLabel = ({ children }: { children: ReactNode }) => (
  <Text size="xs" c="dimmed" fw={500} px="sm" pt="lg" pb={4}>
    {children}
  </Text>
);
