import { Menu, useMantineColorScheme } from "@mantine/core";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconDeviceDesktop from "@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs";
import IconMoon from "@tabler/icons-react/dist/esm/icons/IconMoon.mjs";
import IconSun from "@tabler/icons-react/dist/esm/icons/IconSun.mjs";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language, setLanguage } from "@/lib/i18n/i18n";

const SCHEMES = [
  { value: "light", icon: IconSun },
  { value: "dark", icon: IconMoon },
  { value: "auto", icon: IconDeviceDesktop },
] as const;

/** Sections of a menu: the colour scheme and the language. */
export function PreferencesMenuItems() {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const check = (isChosen: boolean) => (isChosen ? <IconCheck size={16} aria-hidden /> : null);
  return (
    <>
      <Menu.Label>{t("appearance.theme")}</Menu.Label>
      {SCHEMES.map(({ value, icon: Icon }) => (
        <Menu.Item
          key={value}
          leftSection={<Icon size={16} aria-hidden />}
          rightSection={check(colorScheme === value)}
          onClick={() => setColorScheme(value)}
        >
          {t(`appearance.${value}`)}
        </Menu.Item>
      ))}
      <Menu.Label>{t("appearance.language")}</Menu.Label>
      {(Object.keys(LANGUAGES) as Language[]).map((language) => (
        <Menu.Item
          key={language}
          lang={language}
          rightSection={check(i18n.language === language)}
          onClick={() => void setLanguage(language)}
        >
          {LANGUAGES[language]}
        </Menu.Item>
      ))}
    </>
  );
}
