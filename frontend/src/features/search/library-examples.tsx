import { Stack, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { PlainList } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import { type Example, toExamples } from "./examples";

const RECENT = 8;

/** Return examples from recent documents, or null while they load. */
export function useExamples(): Example[] | null {
  const query = { status: ["ready" as const], sort: "-created_at" as const, limit: RECENT };
  const documents = $api.useQuery("get", "/api/v1/documents", { params: { query } });
  const recent = documents.data?.items ?? [];
  const outlines = useQueries({
    queries: recent.map(({ id }) =>
      $api.queryOptions("get", "/api/v1/documents/{document_id}/outline", { params: { path: { document_id: id } } }),
    ),
  });
  // all at once, so that no line moves another
  if ([documents, ...outlines].some(({ isPending }) => isPending)) return null;
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
  if (!examples || examples.length === 0) return null;
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
