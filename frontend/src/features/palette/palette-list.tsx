import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Command, PaletteGroup } from "./commands";
import styles from "./palette-list.module.css";

interface PaletteListProps {
  id: string;
  commands: Command[];
  chosen: number;
  onChoose: (index: number) => void;
  onRun: (command: Command) => void;
}

/** The matches in groups, one of them chosen. */
export function PaletteList({ id, commands, chosen, onChoose, onRun }: PaletteListProps) {
  const { t } = useTranslation();
  const groups = [...new Set(commands.map((command) => command.group))];
  return (
    <div id={id} role="listbox" aria-label={t("palette.results")} className={styles.list}>
      {groups.map((group: PaletteGroup) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox has groups of options, which no element stands for
        <div key={group} role="group" aria-label={t(`palette.group.${group}`)}>
          <Text size="xs" c="dimmed" fw={600} px="md" pt={8} aria-hidden>
            {t(`palette.group.${group}`)}
          </Text>
          {commands.map((command, index) => {
            if (command.group !== group) return null;
            const Icon = command.icon;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above, which keeps the focus
              // biome-ignore lint/a11y/useFocusableInteractive: the field points at the option that is chosen
              <div
                key={command.id}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === chosen}
                className={styles.option}
                onMouseMove={() => index !== chosen && onChoose(index)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onRun(command)}
              >
                <Icon size={18} stroke={1.6} aria-hidden />
                <span className={styles.label}>{command.label}</span>
                {command.hint ? <span className={styles.hint}>{command.hint}</span> : null}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
