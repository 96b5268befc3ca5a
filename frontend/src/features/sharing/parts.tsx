import { ActionIcon, Box, Group, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconX } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { focusOnMount } from "@/shared/focus-on-mount";
import { FormStack } from "@/shared/form-stack";
import { PlainList } from "@/shared/states";

export interface ShareFormProps {
  mutation: { error: unknown; isPending: boolean };
  /** Send the address, and call `onDone` once it is accepted. */
  onShare: (email: string, onDone: () => void) => void;
  submitLabel?: string;
  label?: string;
}

/** The address of one more person. */
export function ShareForm({ mutation, onShare, submitLabel, label }: ShareFormProps) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { email: "" } });
  const submit = form.onSubmit(({ email }) => onShare(email, () => form.setValues({ email: "" })));
  return (
    <FormStack onSubmit={submit} mutation={mutation} submitLabel={submitLabel ?? t("sharing:add")}>
      <TextInput
        ref={focusOnMount}
        type="email"
        autoComplete="off"
        label={label ?? t("sharing:email")}
        description={t("sharing:emailHint")}
        required
        maxLength={254}
        data-autofocus
        {...form.getInputProps("email")}
      />
    </FormStack>
  );
}

/** Who has access, below a heading. */
export function AccessList({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={3} size="h6" id={id} mb="xs">
        {t("sharing:access")}
      </Title>
      <PlainList gap="sm">{children}</PlainList>
    </section>
  );
}

/** One person or group with access, why, and a button that ends it. */
export function Access({ name, by, onEnd }: { name: string; by: string; onEnd?: () => void }) {
  const { t } = useTranslation();
  return (
    <Group component="li" justify="space-between" gap="sm" wrap="nowrap">
      <Box miw={0} style={{ overflowWrap: "anywhere" }}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {by}
        </Text>
      </Box>
      {onEnd ? (
        <ActionIcon color="gray" aria-label={t("sharing:remove", { email: name })} onClick={onEnd}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      ) : null}
    </Group>
  );
}
