import { Badge, Button, Group, Paper, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { openDialog } from "@/shared/dialog";
import { FormStack } from "@/shared/form-stack";
import { notifyDone } from "@/shared/notify";
import { PasswordInput } from "@/shared/password-input";
import { ErrorState, LoadingState } from "@/shared/states";
import { EnrolForm } from "./enrol-form";
import { useSecondFactor, useSecondFactorMutations } from "./use-security";

/** The state of two-factor authentication, and the way to turn it on or off. */
export function SecondFactor() {
  const { t } = useTranslation();
  const { data, error, refetch } = useSecondFactor();
  const title = t("security:secondFactor.title");
  const turnOn = () => openDialog(title, (close) => <EnrolForm onDone={close} />, { isSticky: true });
  const turnOff = () => openDialog(title, (close) => <DisableForm onDone={close} />);
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group gap="xs" mb="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {data ? (
          <Badge variant={data.is_enabled ? "filled" : "default"}>
            {t(data.is_enabled ? "security:secondFactor.on" : "security:secondFactor.off")}
          </Badge>
        ) : null}
      </Group>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {data.is_enabled
              ? t("security:secondFactor.codesLeft", { count: data.recovery_codes_left })
              : t("security:secondFactor.about")}
          </Text>
          <Button variant={data.is_enabled ? "default" : "filled"} onClick={data.is_enabled ? turnOff : turnOn}>
            {t(data.is_enabled ? "security:secondFactor.turnOff" : "security:secondFactor.turnOn")}
          </Button>
        </Group>
      ) : error ? null : (
        <LoadingState rows={1} />
      )}
    </Paper>
  );
}

function DisableForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const { disable } = useSecondFactorMutations();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const send = () =>
    password &&
    code &&
    disable.mutate(
      { body: { current_password: password, code } },
      {
        onSuccess: () => {
          notifyDone(t("security:secondFactor.disabled"));
          onDone();
        },
      },
    );
  return (
    <FormStack onSubmit={send} mutation={disable} submitLabel={t("security:secondFactor.turnOff")}>
      <PasswordInput
        label={t("password.current")}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={t("security:secondFactor.code")}
        description={t("security:secondFactor.anyCodeNote")}
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </FormStack>
  );
}
