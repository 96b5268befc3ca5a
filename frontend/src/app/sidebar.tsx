import { NavLink, Text } from "@mantine/core";
import { IconArrowLeft, IconSettings } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { BUILT_IN_VIEWS } from "@/features/documents/filters/use-saved-views";
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
  isAdmin: boolean;
  /** A page was chosen: the drawer of a phone closes. */
  onChosen: () => void;
}

/** The pages of the library, or those of the settings while one of them is open. */
export function Sidebar({ path, isInSettings, isAdmin, onChosen }: SidebarProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const isSwitched = useRef(false);
  const before = useRef(isInSettings);
  const settings = settingsFor(isAdmin);

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
        <div className={classes.apart}>{renderSwitch("/keys", t("nav.settings"), IconSettings)}</div>
      </div>
    );
  }
  return (
    <div ref={list}>
      {renderSwitch("/home", t("nav.library"), IconArrowLeft)}
      {GROUPS.map(({ group, label }) => (
        <Fragment key={group}>
          <Text size="xs" c="dimmed" fw={500} px="sm" pt="lg" pb={4}>
            {t(label)}
          </Text>
          {settings.filter((link) => link.group === group).map(render)}
        </Fragment>
      ))}
    </div>
  );
}
