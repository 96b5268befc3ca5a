import type { CSSProperties, ReactNode } from "react";
import styles from "./tag-chip.module.css";
import { cssColor } from "./tag-colors";

interface TagChipProps {
  name: string;
  color: string | undefined;
  children?: ReactNode;
}

/** A tag as a small coloured label; `children` come after its name. */
export function TagChip({ name, color, children }: TagChipProps) {
  const style = { "--tag-color": cssColor(color ?? "gray") } as CSSProperties;
  return (
    <span className={styles.chip} style={style} title={name}>
      <span className={styles.dot} aria-hidden />
      <span className={styles.name}>{name}</span>
      {children}
    </span>
  );
}
