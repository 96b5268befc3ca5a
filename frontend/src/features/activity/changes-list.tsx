import { Text } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/lib/format";

type Details = Record<string, unknown>;

interface ChangesListProps {
  details: Details;
  /** Shown beside the action already. */
  targetName: string | null;
}

/** What an event changed: each field with its new value, and the one before if the event keeps it. */
export function ChangesList({ details, targetName }: ChangesListProps) {
  const { t } = useTranslation();
  return changesOf(details, targetName, t).map((line) => (
    <Text key={line} size="xs" c="dimmed">
      {line}
    </Text>
  ));
}

/** Parts of an action on several documents that say nothing more than its name and the number of changes. */
const SELECTION_FIELDS = new Set(["action", "ids", "matched"]);

/** Return a line for each field that an event changed. */
export function changesOf(details: Details, targetName: string | null, t: TFunction): string[] {
  const before = typeof details.before === "object" ? ((details.before ?? {}) as Details) : {};
  const isBulk = "matched" in details;
  return Object.entries(details).flatMap(([field, value]) => {
    if (field === "before" || (isBulk && SELECTION_FIELDS.has(field))) return [];
    const isChange = field in before;
    if (!isChange && (isNothing(value) || value === targetName)) return [];
    const name = nameOf(field, t);
    if (isChange) return [`${name}: ${wordsOf(field, before[field], t)} → ${wordsOf(field, value, t)}`];
    return [value === true || field === "password" ? name : `${name}: ${wordsOf(field, value, t)}`];
  });
}

const nameOf = (field: string, t: TFunction): string =>
  t(`system:field.${field}`, { defaultValue: field.replaceAll("_", " ") });

const isNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === false ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

const ROLE_FIELDS = new Set(["role", "default_role"]);
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function wordsOf(field: string, value: unknown, t: TFunction): string {
  if (typeof value === "boolean") return t(value ? "system:yes" : "system:no");
  if (isNothing(value)) return t("system:nothing");
  if (Array.isArray(value)) return value.map((item) => wordsOf(field, item, t)).join(", ");
  if (typeof value === "string" && ROLE_FIELDS.has(field)) return t(`account.role.${value}`, { defaultValue: value });
  if (typeof value === "string" && MOMENT.test(value)) return formatDateTime(value);
  if (typeof value !== "object") return String(value);
  const fields = Object.entries(value as Details).filter(([, item]) => !isNothing(item));
  return `(${fields.map(([name, item]) => `${nameOf(name, t)}: ${wordsOf(name, item, t)}`).join(", ")})`;
}
