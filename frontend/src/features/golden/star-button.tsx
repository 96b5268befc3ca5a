import { ActionIcon } from "@mantine/core";
import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { type Place, useMark } from "./use-marks";

/** A star makes the query and the passage a golden query, by which the ranking is measured. */
export function StarButton(place: Place) {
  const { t } = useTranslation();
  const { marked, isPending, toggle } = useMark(place);
  const label = t(marked === "page" ? "golden.starOfPage" : "golden.star");
  const Icon = marked ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      color={marked ? "yellow.8" : "gray"}
      aria-pressed={marked !== null}
      aria-label={label}
      title={label}
      disabled={isPending}
      onClick={toggle}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
