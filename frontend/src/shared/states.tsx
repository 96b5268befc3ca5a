import {
  Alert,
  type AlertProps,
  Button,
  type ButtonProps,
  Center,
  Loader,
  Skeleton,
  Stack,
  type StackProps,
  Text,
  Title,
} from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ApiProblem } from "@/lib/api/problem";
import { CodeText } from "./code-text";
import { errorText, finalTitleOf } from "./notify";

/** The four faces of a list: each list renders loading, empty, error and data. */
export function LoadingState({ rows = 4 }: { rows?: number }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" role="status" aria-label={t("states.loading")}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={row} height={44} radius="md" />
      ))}
    </Stack>
  );
}

export function LoadingPage() {
  const { t } = useTranslation();
  return (
    <Center mih="40vh" role="status" aria-label={t("states.loading")}>
      <Loader />
    </Center>
  );
}

interface EmptyStateProps {
  title: string;
  /** Level of the heading: 1 if the page has no other heading. */
  level?: 1 | 2;
  children?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ title, level = 2, children, icon, action }: EmptyStateProps) {
  return (
    <Center py={64}>
      <Stack align="center" gap="sm" maw={460}>
        {icon}
        <Title order={level} size="h3" ta="center">
          {title}
        </Title>
        {children ? (
          <Text c="dimmed" ta="center" component="div">
            {children}
          </Text>
        ) : null}
        {action}
      </Stack>
    </Center>
  );
}

/** Say why something failed. Nothing without an error. */
export function ProblemAlert({ error, children, ...props }: { error: unknown } & AlertProps) {
  if (!error) return null;
  const message = children ?? errorText(error);
  return (
    <Alert color="red" role="alert" {...props}>
      {typeof message === "string" ? <CodeText text={message} /> : message}
    </Alert>
  );
}

interface MoreQuery {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** The button that loads the next page of a list. Nothing at its end. */
export function MoreButton({ query, ...props }: { query: MoreQuery } & ButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      variant="default"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
      {...props}
    />
  );
}

interface PlainListProps extends StackProps {
  component?: "ul" | "ol";
  children: ReactNode;
}

/** A list without bullets. */
export const PlainList = (props: PlainListProps) => (
  <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: "none" }} {...props} />
);

export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation();
  const finalTitle = finalTitleOf(error);
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={finalTitle ?? t("errors.title")} role="alert" my="md">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          <CodeText text={errorText(error)} />
        </Text>
        {error instanceof ApiProblem ? null : (
          <Text component="details" size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            <summary>{t("errors.details")}</summary>
            {String(error)}
          </Text>
        )}
        {onRetry && !finalTitle ? (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t("actions.retry")}
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}
