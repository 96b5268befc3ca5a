import { Alert, Button, Group, NumberInput, Select, Stack, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureWords } from "@/features/documents/status/document-status";
import type { SearchBody } from "@/features/search/hit/copy-menu";
import { $api } from "@/lib/api/client";
import { formatNumber, languageName } from "@/lib/format";
import { ProblemAlert } from "@/shared/states";
import type { SearchUrl } from "./search-url";

const PAUSE_MS = 200;

interface WhyFormProps {
  request: SearchBody;
  onChange: (change: Partial<SearchUrl>) => void;
}

/** "Expected something else?": where a passage that was expected got lost, and the smallest change that brings it up. */
export function WhyForm({ request, onChange }: WhyFormProps) {
  const { t } = useTranslation();
  const [document, setDocument] = useState<string | null>(null);
  const [pageNumber, setPageNumber] = useState<number | undefined>();
  const [quote, setQuote] = useState("");
  const why = $api.useMutation("post", "/api/v1/search/why");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!document) return;
    const expected = {
      document,
      ...(pageNumber ? { page_number: pageNumber } : {}),
      ...(quote.trim() ? { quote: quote.trim() } : {}),
    };
    why.mutate({ body: { ...request, ...expected } });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <DocumentSelect value={document} onChange={setDocument} />
          <NumberInput
            w={120}
            label={t("why:page")}
            min={1}
            allowDecimal={false}
            value={pageNumber ?? ""}
            onChange={(value) => setPageNumber(typeof value === "number" ? value : undefined)}
          />
        </Group>
        <Textarea
          label={t("why:quote")}
          rows={2}
          maxLength={2_000}
          value={quote}
          onChange={(event) => setQuote(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={why.isPending} disabled={!document} w="fit-content">
          {t("why:ask")}
        </Button>
        <ProblemAlert error={why.error} />
        {why.data ? <Reason found={why.data} onChange={onChange} /> : null}
      </Stack>
    </form>
  );
}

type Found = NonNullable<ReturnType<typeof useWhy>["data"]>;
const useWhy = () => $api.useMutation("post", "/api/v1/search/why");

function Reason({ found, onChange }: { found: Found } & Pick<WhyFormProps, "onChange">) {
  const { t } = useTranslation();
  const { stage, change } = found;
  const reason = useSentence("reason", found);
  const advice = useSentence("change", change);
  const applied = change ? changeOfAddress(change) : null;
  return (
    <Alert variant="outline" color="petrol" role="status" title={t(`why:stage.${stage}`)}>
      <Text size="sm">{reason}</Text>
      {change ? (
        <Text size="sm" mt={4}>
          {advice}
        </Text>
      ) : null}
      {applied ? (
        <Button size="xs" variant="default" mt="sm" onClick={() => onChange(applied)}>
          {t("why:apply")}
        </Button>
      ) : null}
    </Alert>
  );
}

interface Said {
  code: string;
  values?: Record<string, number | string | string[]>;
  text?: string;
  reason?: string;
}

/** A reason or a change in the language of the person; one that is new to this page in the API's own words. */
function useSentence(kind: "reason" | "change", said: Said | null): string {
  const { t, i18n } = useTranslation();
  if (!said) return "";
  const key = `why:${kind}.${said.code}`;
  if (!i18n.exists(key)) return said.reason ?? said.text ?? "";
  const named = Object.entries(said.values ?? {}).map(([name, value]) => {
    if (name === "fields" && Array.isArray(value)) return [name, fieldNames(value, t)];
    if (name === "language") return [name, languageName(String(value))];
    if (name === "error") return [name, failureOf(said, t)];
    return [name, typeof value === "number" ? formatNumber(value) : value];
  });
  return String(t(key, Object.fromEntries(named)));
}

/** Why the document was not read, in the person's language where the API says which failure it was. */
function failureOf({ values = {} }: Said, t: TFunction): string {
  const { error_code: code, error } = values;
  if (typeof code !== "string") return String(error);
  const words = failureWords({ code, message: String(error), details: values }, t);
  return `${words.label}. ${words.detail}`.replace(/\.$/, "");
}

/** Name the filters that excluded a passage. */
function fieldNames(fields: string[], t: TFunction): string {
  if (fields.length === 0) return t("why:field.together");
  return fields.map((field) => t(`why:field.${field}`, { defaultValue: field })).join(", ");
}

/** The change of the search page's address for a change of the request; null for what has no place there. */
export function changeOfAddress({
  field,
  value,
}: Pick<NonNullable<Found["change"]>, "field" | "value">): Partial<SearchUrl> | null {
  if (field === "top_k" && typeof value === "number" && value <= 20) return { k: value };
  if (field === "query" && typeof value === "string") return { q: value };
  if (field === "hybrid" && value === false) return { semanticOnly: true };
  return null;
}

function DocumentSelect({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [sent] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const query = { limit: 30, sort: "filename" as const, ...(sent ? { q: sent } : {}) };
  const found = $api.useQuery("get", "/api/v1/documents", { params: { query } }, { placeholderData: keepPreviousData });
  return (
    <Select
      flex="1 1 14rem"
      label={t("why:document")}
      data={found.data?.items.map(({ id, filename }) => ({ value: id, label: filename })) ?? []}
      value={value}
      onChange={onChange}
      onSearchChange={setTyped}
      // what was chosen is in the box as well: then everything is offered
      filter={({ options }) => options}
      nothingFoundMessage={t("search.noDocument")}
      searchable
      required
    />
  );
}
