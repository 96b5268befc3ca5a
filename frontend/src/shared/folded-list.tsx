import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsPhone } from "./use-is-phone";

const SHOWN = 6;

/** Small items in a row. A phone shows the first ones, and a button shows the others. */
export function FoldedList({ children }: { children: ReactNode[] }) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const [isOpen, setIsOpen] = useState(false);
  if (!isPhone || children.length <= SHOWN) return children;
  return (
    <>
      {isOpen ? children : children.slice(0, SHOWN)}
      <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? t("actions.showFewer") : t("actions.showAll", { total: children.length })}
      </Button>
    </>
  );
}
