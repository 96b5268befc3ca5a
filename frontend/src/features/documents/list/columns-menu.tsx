import { Menu } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import rowMenu from "@/features/documents/row/row-menu.module.css";
import { COLUMNS, chooseColumns, chosenColumns, DEFAULT_COLUMNS } from "./list-layout";

/** The choice of columns, kept in this browser. */
export function ColumnsMenu() {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const chosen = chosenColumns.use();
  const shown = chosen ?? DEFAULT_COLUMNS;
  return (
    <Menu opened={isOpen} onChange={setIsOpen} position="bottom-end" withinPortal shadow="md">
      <Menu.Target>
        <button type="button" className={rowMenu.button} aria-label={t("documents.columns.choose")}>
          <IconAdjustmentsHorizontal size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {COLUMNS.map((column) => (
          <Menu.CheckboxItem
            key={column}
            checked={shown.includes(column)}
            onChange={(isChecked) =>
              chooseColumns(isChecked ? [...shown, column] : shown.filter((one) => one !== column))
            }
          >
            {t(`documents.columns.name.${column}`)}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item disabled={chosen === null} onClick={() => chooseColumns(null)}>
          {t("documents.columns.reset")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
