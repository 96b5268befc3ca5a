import { Code, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/lib/format";
import { PlainList } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import type { Moved, Preview } from "./use-evaluations";

/** Fewer say little; the guide begins there too. */
const FEW = 20;
const MEASURES = ["recall@1", "recall@5", "recall@20", "mrr", "ndcg@10"] as const;

/** Golden queries that would improve or regress, and how to apply the setting. */
export function PreviewResult({ preview }: { preview: Preview }) {
  const { t } = useTranslation();
  const { improved, regressed, unchanged, questions, environment } = preview;
  return (
    <Paper withBorder p="md" radius="md" component="section" aria-label={t("golden:result")}>
      <Stack gap="sm">
        <Text fw={600} role="status">
          {t("golden:moved", { won: improved.length, lost: regressed.length, same: unchanged })}
        </Text>
        {questions < FEW ? (
          <Text size="sm" c="dimmed">
            {t("golden:few", { count: questions })}
          </Text>
        ) : null}
        <Measures preview={preview} />
        <MovedList title={t("golden:won")} moved={improved} />
        <MovedList title={t("golden:lost")} moved={regressed} />
        <HowToApply environment={environment} />
      </Stack>
    </Paper>
  );
}

/** Settings are of the environment; what needs none of it is another model, which is used from the page on the system. */
function HowToApply({ environment }: { environment: Preview["environment"] }) {
  const { t } = useTranslation();
  const variables = Object.entries(environment);
  // the link is underlined: within a sentence its colour alone does not tell it apart
  if (variables.length === 0)
    return (
      <Text size="sm">
        {t("golden:model.apply")}{" "}
        <TextLink to="/system" underline="always">
          {t("nav.system")}
        </TextLink>
      </Text>
    );
  return (
    <div>
      <Text size="sm">{t("golden:apply")}</Text>
      {variables.map(([name, value]) => (
        <Code key={name} block mt={4} style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {`${name}=${value}`}
        </Code>
      ))}
    </div>
  );
}

function Measures({ preview: { before, after } }: { preview: Preview }) {
  const { t } = useTranslation();
  const shown = (value: number | undefined) => (value === undefined ? "–" : formatNumber(value));
  return (
    <Table fz="sm" aria-label={t("golden:measures")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t("golden:measure")}</Table.Th>
          <Table.Th scope="col" ta="end">
            {t("golden:before")}
          </Table.Th>
          <Table.Th scope="col" ta="end">
            {t("golden:after")}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {MEASURES.map((name) => (
          <Table.Tr key={name}>
            <Table.Td>{t(`golden:measureNames.${name}`)}</Table.Td>
            <Table.Td ta="end">{shown(before[name]?.value)}</Table.Td>
            <Table.Td ta="end">{shown(after[name]?.value)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function MovedList({ title, moved }: { title: string; moved: Moved[] }) {
  const { t } = useTranslation();
  if (moved.length === 0) return null;
  const place = (rank: number | null) => (rank === null ? t("golden:notFound") : t("golden:rank", { rank }));
  return (
    <div>
      <Title order={3} size="h6">
        {title}
      </Title>
      <PlainList gap={4} mt={4}>
        {moved.map((one) => (
          <Text component="li" size="sm" key={`${one.query} ${one.document}`} style={{ overflowWrap: "anywhere" }}>
            <TextLink to="/search" search={{ q: one.query }}>
              {one.query}
            </TextLink>
            <Text span c="dimmed" size="sm">
              {` ${one.document} · ${place(one.rank_before)} → ${place(one.rank_after)}`}
            </Text>
          </Text>
        ))}
      </PlainList>
    </div>
  );
}
