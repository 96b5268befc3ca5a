import { Group, Text, Title, type TitleProps } from "@mantine/core";
import type { ReactNode } from "react";
import { formatNumber } from "@/lib/format";
import classes from "./page-head.module.css";

/** The first heading of a page. */
export const PageHeading = ({ className, ...props }: Omit<TitleProps, "order" | "size">) => (
  <Title order={1} className={[classes.title, className].filter(Boolean).join(" ")} {...props} />
);

interface PageHeadProps {
  title: string;
  /** How many things the page lists. */
  count?: number | undefined;
  /** One sentence below the line. */
  about?: string;
  /** The actions of the page, at the end of the line. */
  children?: ReactNode;
}

/** The head of a page: title, count and actions in one line. */
export function PageHead({ title, count, about, children }: PageHeadProps) {
  return (
    <div className={classes.head}>
      <div className={classes.line}>
        <PageHeading>{title}</PageHeading>
        {count ? (
          <Text c="dimmed" className={classes.count ?? ""}>
            {formatNumber(count)}
          </Text>
        ) : null}
        {children ? (
          <Group gap="xs" ms="auto">
            {children}
          </Group>
        ) : null}
      </div>
      {about ? (
        <Text c="dimmed" maw="72ch">
          {about}
        </Text>
      ) : null}
    </div>
  );
}
