import { ActionIcon } from "@mantine/core";
import { IconLayoutGrid } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { chooseLayout, layout } from "./list-layout";

/** Switch between rows and pictures of first pages. */
export function LayoutButton() {
  const { t } = useTranslation();
  const isGrid = layout.use() === "grid";
  const label = t("documents.grid.show");
  return (
    <ActionIcon
      variant={isGrid ? "light" : "default"}
      size={36}
      aria-label={label}
      title={label}
      aria-pressed={isGrid}
      onClick={() => chooseLayout(isGrid ? "list" : "grid")}
    >
      <IconLayoutGrid size={18} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
