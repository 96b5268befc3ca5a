import { Stack, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { PlainList } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import { type Example, toExamples } from "./examples";

const RECENT = 8;

/** Return examples from recent documents. None while the library is empty. */
function useExamples(): Example[] {
  const query = { status: ["ready" as const], sort: "-created_at" as const, limit: RECENT };
  const recent = $api.useQuery("get", "/api/v1/documents", { params: { query } }).data?.items ?? [];
  const outlines = useQueries({
    queries: recent.map(({ id }) =>
      $api.queryOptions("get", "/api/v1/documents/{document_id}/outline", { params: { path: { document_id: id } } }),
    ),
  });
  // all at once, so that no line moves another
  if (outlines.some(({ isPending }) => isPending)) return [];
  return toExamples(recent.map(({ title }, index) => ({ title, headings: outlines[index]?.data?.items ?? [] })));
}

interface LibraryExamplesProps {
  to: "/search" | "/ask";
  /** The words of an example on this page. */
  toWords: (example: Example) => string;
}

/** Links that search or ask for what recent documents are about. */
export function LibraryExamples({ to, toWords }: LibraryExamplesProps) {
  const { t } = useTranslation();
  const examples = useExamples();
  if (examples.length === 0) return null;
  return (
    <Stack component="section" gap={4} mt="sm" align="center" aria-labelledby="examples">
      <Text id="examples" size="sm" fw={500}>
        {t("search.examples")}
      </Text>
      <PlainList gap={0} ta="center">
        {examples.map((example) => (
          <li key={example.title}>
            <TextLink to={to} search={{ q: toWords(example) }} display="block" py={8}>
              {toWords(example)}
            </TextLink>
          </li>
        ))}
      </PlainList>
    </Stack>
  );
}
