import { ActionIcon } from "@mantine/core";
import IconStar from "@tabler/icons-react/dist/esm/icons/IconStar.mjs";
import IconStarFilled from "@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs";
import { useTranslation } from "react-i18next";
import { useGolden } from "./use-golden";

interface StarButtonProps {
  query: string;
  documentId: string;
  pageNumber: number;
}

/** A star makes the query and the page a golden query, by which the ranking is measured. */
export function StarButton(place: StarButtonProps) {
  const { t } = useTranslation();
  const { isGolden, isPending, toggle } = useGolden(place);
  const Icon = isGolden ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      color={isGolden ? "yellow.8" : "gray"}
      aria-pressed={isGolden}
      aria-label={t("golden.star")}
      title={t("golden.star")}
      disabled={isPending}
      onClick={toggle}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
