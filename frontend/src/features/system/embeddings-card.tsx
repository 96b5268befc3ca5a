import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber, formatPercent } from "@/lib/format";
import { FactList } from "./fact-list";
import { GenerationFact } from "./generation-fact";
import type { SystemFacts } from "./use-system";

/** The model that is searched by, and the embeddings of every model with the way to search by those of another. */
export function EmbeddingsCard({ facts: { embeddings, library } }: { facts: SystemFacts }) {
  const { t } = useTranslation();
  return (
    <FactList
      title={t("system:section.embeddings")}
      facts={[
        [t("system:model"), embeddings.embedding_model],
        [t("system:dimensions"), formatNumber(embeddings.dimensions)],
        [
          t("system:embedded"),
          t("system:embeddedValue", {
            done: formatNumber(embeddings.embedded_chunks),
            all: formatNumber(library.chunks),
            percent: formatPercent(library.chunks === 0 ? 1 : embeddings.embedded_chunks / library.chunks),
          }),
        ],
        ...embeddings.generations.map((generation): [string, ReactNode] => [
          t("system:generation", { number: generation.id }),
          <GenerationFact key={generation.id} generation={generation} chunks={library.chunks} />,
        ]),
      ]}
    />
  );
}
