import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber, formatPercent } from "@/lib/format";
import { askBefore } from "@/shared/dialog";
import { notifyDone } from "@/shared/notify";
import { TextLink } from "@/shared/text-link";
import { FactList } from "./fact-list";
import type { SystemFacts } from "./use-system";
import { embeddedOf, type Generation, isAlternative, useModelSwitch } from "./use-system";

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

interface GenerationFactProps {
  generation: Generation;
  /** Passages of the library. */
  chunks: number;
}

/** The embeddings of one model: what there is of them, and the way to search by them where that can be. */
function GenerationFact({ generation, chunks }: GenerationFactProps) {
  const { t } = useTranslation();
  const { embedding_model: model, dimensions, fingerprint, state, embedded_chunks: embedded, ranker } = generation;
  const done = embeddedOf(generation, chunks);
  const isWhole = done === chunks;
  const name = t("system:modelName", { model, dimensions: formatNumber(dimensions) });
  const amount = { done: formatNumber(done), all: formatNumber(chunks) };
  const share = chunks === 0 ? 1 : done / chunks;
  return (
    <Stack gap={4} align="flex-end">
      <Text size="sm" span title={fingerprint}>
        {name} · {t(`system:state.${stateWord(generation, isWhole)}`)}
        {ranker === "shipped" ? null : ` · ${t(`system:ranker.${ranker}`)}`}
      </Text>
      {state !== "active" && embedded !== null ? (
        <Text size="sm" span>
          {t("system:passagesValue", { ...amount, percent: formatPercent(share) })}
        </Text>
      ) : null}
      {isAlternative(generation) && !isWhole ? (
        <Progress w="100%" value={share * 100} aria-label={t("system:passagesOf", { name })} />
      ) : null}
      {isAlternative(generation) ? (
        <Group gap="xs" justify="flex-end">
          <TextLink to="/golden" size="sm">
            {t("system:compare")}
          </TextLink>
          <UseModel generation={generation} name={name} />
        </Group>
      ) : null}
    </Stack>
  );
}

/** As the database has it, but that embeddings which nobody makes any more, or which are all there, are not being made. */
function stateWord({ state, is_set: isSet }: Generation, isWhole: boolean) {
  if (state !== "filling") return state;
  if (!isSet) return "unfinished";
  return isWhole ? "complete" : "filling";
}

function UseModel({ generation, name }: { generation: Generation; name: string }) {
  const { t } = useTranslation();
  const model = generation.embedding_model;
  const use = useModelSwitch(() => notifyDone(t("system:modelUsed", { model })));
  const onUse = () =>
    askBefore({
      title: t("system:useModelTitle", { model }),
      text: t("system:useModelText"),
      action: t("system:useModel"),
      isReversible: true,
      onConfirm: () => use.mutate({ params: { path: { generation_id: generation.id } } }),
    });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={use.isPending}
      aria-label={`${t("system:useModel")}: ${name}`}
      onClick={onUse}
    >
      {t("system:useModel")}
    </Button>
  );
}
