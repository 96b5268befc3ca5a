import { Button } from "@mantine/core";
import type { Link, List, RootContent, Table } from "mdast";
import { type ElementType, Fragment, type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/lib/format";
import styles from "./text-page.module.css";
import { codePointOffsets, parseText, type Range, rangeOf, type TextOptions } from "./text-tree";

export interface MarkedRange extends Range {
  isCurrent: boolean;
}

interface TextPageProps extends TextOptions {
  text: string;
  /** Passages to mark, in code points from the beginning of the page. They do not overlap. */
  ranges: MarkedRange[];
}

/** The text of a page with its passages marked. */
export function TextPage({ text, isMarkdown, headings, ranges }: TextPageProps) {
  const blocks = useMemo(
    () => parseText(text, { isMarkdown, ...(headings ? { headings } : {}) }),
    [text, isMarkdown, headings],
  );
  const toOffset = useMemo(() => codePointOffsets(text), [text]);
  const marks = ranges.map((range) => ({
    ...range,
    start: toOffset(range.start),
    end: toOffset(range.end),
  }));

  function write({ start, end }: Range): ReactNode {
    const parts: ReactNode[] = [];
    let position = start;
    for (const range of marks.filter((one) => one.start < end && one.end > start)) {
      const [from, to] = [Math.max(range.start, position), Math.min(range.end, end)];
      parts.push(
        text.slice(position, from),
        <mark
          key={from}
          className={range.isCurrent ? undefined : styles.faint}
          data-current={range.isCurrent || undefined}
        >
          {text.slice(from, to)}
        </mark>,
      );
      position = to;
    }
    return [...parts, text.slice(position, end)];
  }

  /** Write what a node says. Escapes stay in its source, so only an unmarked text can show its value. */
  function writeValue(node: RootContent, value: string): ReactNode {
    const range = rangeOf(node);
    const index = text.slice(range.start, range.end).indexOf(value);
    if (index >= 0) return write({ start: range.start + index, end: range.start + index + value.length });
    const isMarked = marks.some((one) => one.start < range.end && one.end > range.start);
    return isMarked ? write(range) : value;
  }

  const current = marks.find((one) => one.isCurrent)?.start ?? 0;
  return <Nodes nodes={blocks} write={writeValue} current={current} />;
}

type Write = (node: RootContent, value: string) => ReactNode;

interface NodesProps {
  nodes: readonly RootContent[];
  write: Write;
  /** Offset of the passage that must be rendered. */
  current?: number;
}

const Nodes = ({ nodes, write, current = 0 }: NodesProps) =>
  nodes.map((node) => <Fragment key={rangeOf(node).start}>{render(node, write, current)}</Fragment>);

function render(node: RootContent, write: Write, current: number): ReactNode {
  const children = "children" in node && node.type !== "table" ? <Nodes nodes={node.children} write={write} /> : null;
  switch (node.type) {
    case "heading": {
      // The page has its own first heading.
      const Heading = `h${Math.min(node.depth + 1, 6)}` as ElementType;
      return <Heading className={styles.heading}>{children}</Heading>;
    }
    case "paragraph":
      return <p className={styles.paragraph}>{children}</p>;
    case "list":
      return renderList(node, children);
    case "listItem":
      return <li className={styles.item}>{children}</li>;
    case "blockquote":
      return <blockquote className={styles.quote}>{children}</blockquote>;
    case "code":
      return <pre className={styles.code}>{write(node, node.value)}</pre>;
    case "thematicBreak":
      return <hr className={styles.rule} />;
    case "table":
      return <TextTable table={node} write={write} current={current} />;
    case "emphasis":
      return <em>{children}</em>;
    case "strong":
      return <strong>{children}</strong>;
    case "inlineCode":
      return <code>{write(node, node.value)}</code>;
    case "link":
      return renderLink(node, children);
    case "image":
      return write(node, node.alt || node.url);
    case "text":
    case "html":
      return write(node, node.value);
    case "break":
      return <br />;
    default:
      return children;
  }
}

function renderList({ ordered, start }: List, children: ReactNode): ReactNode {
  return ordered ? (
    <ol start={start ?? 1} className={styles.list}>
      {children}
    </ol>
  ) : (
    <ul className={styles.list}>{children}</ul>
  );
}

/** A document may hold any address: only those of the web and of e-mail become links. */
function renderLink({ url }: Link, children: ReactNode): ReactNode {
  if (!/^(https?|mailto):/i.test(url)) return children;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

/** More rows would keep the browser busy for seconds. */
const MOST_ROWS = 500;

/** A table with its head in sight. The rows of a long one render up to the current passage. */
function TextTable({ table, write, current }: { table: Table; write: Write; current: number }) {
  const { t } = useTranslation();
  const [isWhole, setIsWhole] = useState(false);
  const [head, ...body] = table.children;
  const currentRow = body.findIndex((row) => current >= rangeOf(row).start && current < rangeOf(row).end);
  const rows = isWhole ? body : body.slice(0, Math.max(MOST_ROWS, currentRow + 50));
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            {head?.children.map((cell) => (
              <th key={rangeOf(cell).start} scope="col">
                <Nodes nodes={cell.children} write={write} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rangeOf(row).start}>
              {row.children.map((cell) => (
                <td key={rangeOf(cell).start}>
                  <Nodes nodes={cell.children} write={write} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < body.length ? (
        <Button variant="default" size="xs" mb="md" onClick={() => setIsWhole(true)}>
          {t("reader.allRows", { rows: formatNumber(body.length) })}
        </Button>
      ) : null}
    </>
  );
}
