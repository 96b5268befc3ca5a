import { Group, Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ownLanguageName } from "@/lib/format";
import { LANGUAGES, setLanguage } from "@/lib/i18n/i18n";

const SCHEMES = [
  { value: "light", icon: IconSun },
  { value: "dark", icon: IconMoon },
  { value: "auto", icon: IconDeviceDesktop },
] as const;

/** Sections of a menu: the colour scheme and the language. */
export function PreferencesMenuItems() {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Choices label={t("appearance.theme")}>
        {SCHEMES.map(({ value, icon: Icon }) => (
          <Choice key={value} isChosen={colorScheme === value} onChoose={() => setColorScheme(value)}>
            <Icon size={16} aria-hidden />
            {t(`appearance.${value}`)}
          </Choice>
        ))}
      </Choices>
      <Choices label={t("appearance.language")}>
        {LANGUAGES.map((language) => (
          <Choice key={language} isChosen={i18n.language === language} onChoose={() => void setLanguage(language)}>
            <span lang={language}>{ownLanguageName(language)}</span>
          </Choice>
        ))}
      </Choices>
    </>
  );
}

function Choices({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a menu has groups of items, which no element stands for
    <div role="group" aria-label={label}>
      <Menu.Label aria-hidden>{label}</Menu.Label>
      {children}
    </div>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

/** One of several choices, with a check mark at its end. */
function Choice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <Menu.RadioItem
      value=""
      checked={isChosen}
      onChange={onChoose}
      closeMenuOnClick
      rightSection={isChosen ? <IconCheck size={16} aria-hidden /> : null}
      styles={{ itemIndicator: { display: "none" } }}
    >
      <Group gap={10} wrap="nowrap">
        {children}
      </Group>
    </Menu.RadioItem>
  );
}
