import { Button, Group, Stack, type StackProps } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { focusInvalid } from "./focus-invalid";
import { ProblemAlert } from "./states";

interface FormStackProps extends Omit<StackProps, "onSubmit"> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** The request that the form sends. */
  mutation: { error: unknown; isPending: boolean };
  submitLabel: ReactNode;
  /** Beside the button that sends. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A form in a column: why sending failed, the fields, the button that sends. */
export function FormStack(props: FormStackProps) {
  const { onSubmit, mutation, submitLabel, footer, children, ...stack } = props;
  const button = (
    <Button type="submit" loading={mutation.isPending}>
      {submitLabel}
    </Button>
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event);
        focusInvalid(event.currentTarget);
      }}
    >
      <Stack gap="sm" {...stack}>
        <ProblemAlert error={mutation.error} />
        {children}
        {footer ? (
          <Group justify="space-between">
            {footer}
            {button}
          </Group>
        ) : (
          button
        )}
      </Stack>
    </form>
  );
}
