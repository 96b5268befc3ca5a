import { Anchor, Code, List, Paper, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { components } from "@/lib/api/schema";
import type { AnswerResponse, TraceStep } from "./answer-stream";
import type { Place } from "./place";

type Trace = components["schemas"]["AnswerTrace"];
type EvidenceCell = components["schemas"]["EvidenceCell"];

interface HowFoundProps {
  response: AnswerResponse;
  onOpen: (place: Place) => void;
}

/** A closed list of the steps of an answer, with the cited cells and the calculation. Nothing for a single step. */
export function HowFound({ response, onOpen }: HowFoundProps) {
  const { t } = useTranslation();
  const { trace } = response.metadata;
  if (!trace || trace.steps.length === 0) return null;
  const seconds = trace.steps.reduce((sum, step) => sum + step.seconds, 0);
  const tokens = trace.steps.reduce((sum, step) => sum + step.tokens, 0);
  return (
    <Paper withBorder p="sm" radius="md" component="details">
      <Text component="summary" size="sm" fw={600} style={{ cursor: "pointer" }}>
        {t("ask:steps.title")}{" "}
        <Text span size="xs" c="dimmed" fw={400}>
          {t("ask:steps.costs", { count: trace.steps.length, seconds: seconds.toFixed(1), tokens })}
        </Text>
      </Text>
      <List type="ordered" size="sm" mt="sm" spacing={4}>
        {trace.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: finished steps never change their order
          <List.Item key={index}>
            <StepLine step={step} />
          </List.Item>
        ))}
      </List>
      {trace.stopped_by ? (
        <Text size="sm" c="orange" mt="xs">
          {t(`ask:steps.stopped.${trace.stopped_by}`)}
        </Text>
      ) : null}
      {trace.evidence.length > 0 ? <EvidenceTable cells={trace.evidence} onOpen={onOpen} /> : null}
      {trace.rejected.length > 0 ? (
        <Text size="xs" c="dimmed" mt="xs">
          {t("ask:steps.rejected", { count: trace.rejected.length })}
        </Text>
      ) : null}
      {trace.calculation ? <CalculationLines calculation={trace.calculation} /> : null}
    </Paper>
  );
}

function StepLine({ step }: { step: TraceStep }) {
  const { t } = useTranslation();
  const isQuestion = step.kind === "plan" || step.kind === "draft";
  return (
    <>
      <Text span fw={600} size="sm">
        {t(`ask:steps.kind.${step.kind}`)}
      </Text>{" "}
      {isQuestion ? null : <Text span>{step.input}</Text>}{" "}
      <Text span size="xs" c={step.problem ? "orange" : "dimmed"}>
        {[step.problem ?? step.output, `${step.seconds.toFixed(1)} s`].filter(Boolean).join(" · ")}
      </Text>
    </>
  );
}

function EvidenceTable({ cells, onOpen }: { cells: EvidenceCell[]; onOpen: (place: Place) => void }) {
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={420} mt="sm">
      <Table fz="sm" verticalSpacing={4}>
        <Table.Caption>{t("ask:steps.evidence")}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th />
            <Table.Th>{t("ask:steps.figure")}</Table.Th>
            <Table.Th>{t("ask:steps.value")}</Table.Th>
            <Table.Th>{t("ask:steps.period")}</Table.Th>
            <Table.Th>{t("ask:steps.source")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {cells.map((cell) => (
            <Table.Tr key={cell.id}>
              <Table.Td>{cell.id}</Table.Td>
              <Table.Td>{cell.label}</Table.Td>
              <Table.Td>{cell.value}</Table.Td>
              <Table.Td>{cell.period}</Table.Td>
              <Table.Td>
                <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onOpen(cellPlace(cell))}>
                  {cell.document}, {t("search.page", { page: cell.page_number })}
                </Anchor>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function CalculationLines({ calculation }: { calculation: NonNullable<Trace["calculation"]> }) {
  const { t } = useTranslation();
  const { refusal, lines } = calculation;
  return (
    <Text size="sm" mt="sm" component="div">
      {refusal ? t(`ask:steps.refusal.${refusal.code}`) : t("ask:steps.calculated")}
      {(refusal ? [calculation.expression] : lines.map((line) => line.result)).map((line) => (
        <Code key={line} block mt={4}>
          {line}
        </Code>
      ))}
    </Text>
  );
}

function cellPlace(cell: EvidenceCell): Place {
  return {
    documentId: cell.document_id,
    pageNumber: cell.highlights[0]?.page_number ?? cell.page_number,
    chunkId: cell.chunk_id,
    start: cell.char_start,
    end: cell.char_end,
  };
}
