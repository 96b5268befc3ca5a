import { Text } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";

type Details = Record<string, unknown>;

interface ChangesListProps {
  details: Details;
  /** Shown beside the action already. */
  targetName: string | null;
}

/** What an event changed: each field with its new value, and the one before if the event keeps it. */
export function ChangesList({ details, targetName }: ChangesListProps) {
  const { t } = useTranslation();
  const before = typeof details.before === "object" ? ((details.before ?? {}) as Details) : {};
  const lines = Object.entries(details).flatMap(([field, value]) => {
    if (field === "before") return [];
    const isChange = field in before;
    if (!isChange && (isNothing(value) || value === targetName)) return [];
    const name = nameOf(field, t);
    if (isChange) return [`${name}: ${wordsOf(before[field], t)} → ${wordsOf(value, t)}`];
    return [value === true ? name : `${name}: ${wordsOf(value, t)}`];
  });
  return lines.map((line) => (
    <Text key={line} size="xs" c="dimmed">
      {line}
    </Text>
  ));
}

const nameOf = (field: string, t: TFunction): string =>
  t(`system:field.${field}`, { defaultValue: field.replaceAll("_", " ") });

const isNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === false ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

function wordsOf(value: unknown, t: TFunction): string {
  if (typeof value === "boolean") return t(value ? "system:yes" : "system:no");
  if (isNothing(value)) return t("system:nothing");
  if (Array.isArray(value)) return value.map((item) => wordsOf(item, t)).join(", ");
  if (typeof value !== "object") return String(value);
  const fields = Object.entries(value as Details).filter(([, item]) => !isNothing(item));
  return `(${fields.map(([field, item]) => `${nameOf(field, t)}: ${wordsOf(item, t)}`).join(", ")})`;
}
