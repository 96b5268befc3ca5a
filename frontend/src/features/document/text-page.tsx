import { type ElementType, type ReactNode, type RefObject, useId, useMemo } from "react";
import { groupRows, markdownBlocks, plainBlocks, type TextBlock } from "./text-blocks";
import styles from "./text-page.module.css";

export interface MarkedRange {
  start: number;
  end: number;
  isCurrent: boolean;
}

interface TextPageProps {
  text: string;
  isMarkdown: boolean;
  /** Passages to mark, counted from the beginning of the page; they do not overlap. */
  ranges: MarkedRange[];
  mark: RefObject<HTMLElement | null>;
}

/** The text of a page, set to be read, with passages marked where they stand. */
export function TextPage({ text, isMarkdown, ranges, mark }: TextPageProps) {
  const characters = useMemo(() => Array.from(text), [text]);
  const groups = useMemo(
    () => groupRows((isMarkdown ? markdownBlocks : plainBlocks)(text)),
    [text, isMarkdown],
  );
  const first = ranges.find((range) => range.isCurrent)?.start;

  function write({ start, end }: { start: number; end: number }): ReactNode {
    const inside = ranges.filter((range) => range.start < end && range.end > start);
    if (inside.length === 0) return characters.slice(start, end).join("");
    const parts: ReactNode[] = [];
    let position = start;
    for (const range of inside) {
      const from = Math.max(range.start, position);
      const to = Math.min(range.end, end);
      parts.push(characters.slice(position, from).join(""));
      parts.push(
        <mark
          key={from}
          className={range.isCurrent ? undefined : styles.faint}
          ref={range.isCurrent && (range.start === from || start > (first ?? 0)) ? mark : undefined}
        >
          {characters.slice(from, to).join("")}
        </mark>,
      );
      position = to;
    }
    parts.push(characters.slice(position, end).join(""));
    return parts;
  }

  return groups.map((group) =>
    Array.isArray(group) ? (
      <Table key={group[0]?.start} rows={group} write={write} />
    ) : (
      <Block key={group.start} block={group} write={write} />
    ),
  );
}

interface BlockProps {
  block: TextBlock;
  write: (part: { start: number; end: number }) => ReactNode;
}

function Block({ block, write }: BlockProps) {
  if (block.kind === "rule") return <hr className={styles.rule} />;
  if (block.kind === "heading") {
    // The page has its own first heading.
    const Heading = `h${Math.min(block.level + 1, 6)}` as ElementType;
    return <Heading className={styles.heading}>{write(block)}</Heading>;
  }
  if (block.kind === "code") return <pre className={styles.code}>{write(block)}</pre>;
  if (block.kind === "quote") return <blockquote className={styles.quote}>{write(block)}</blockquote>;
  const style = block.kind === "item" ? { marginInlineStart: `${1 + block.level * 1.25}rem` } : undefined;
  return (
    <p className={block.kind === "item" ? styles.item : styles.paragraph} style={style}>
      {write(block)}
    </p>
  );
}

function Table({ rows, write }: { rows: TextBlock[]; write: BlockProps["write"] }) {
  const [head, ...body] = rows;
  const columns = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.tableFrame} aria-labelledby={columns} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr id={columns}>
            {head?.cells?.map((cell) => (
              <th key={cell.start} scope="col">
                {write(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row) => (
            <tr key={row.start}>
              {row.cells?.map((cell) => (
                <td key={cell.start}>{write(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
