import { Button, Code, CopyButton, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { focusOnMount } from "@/shared/focus-on-mount";
import { FormStack } from "@/shared/form-stack";
import { notifyDone } from "@/shared/notify";
import { PasswordInput } from "@/shared/password-input";
import { QrCode } from "./qr-code";
import { useSecondFactorMutations } from "./use-security";

/** Turn on two-factor authentication: the password, the secret with a code, the recovery codes. */
export function EnrolForm({ onDone }: { onDone: () => void }) {
  const { begin, confirm } = useSecondFactorMutations();
  if (confirm.data) return <RecoveryCodes codes={confirm.data.recovery_codes} onDone={onDone} />;
  if (begin.data) return <SecretStep {...begin.data} confirm={confirm} />;
  return <PasswordStep begin={begin} />;
}

type Mutations = ReturnType<typeof useSecondFactorMutations>;

function PasswordStep({ begin }: Pick<Mutations, "begin">) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  const send = () => password && begin.mutate({ body: { current_password: password } });
  return (
    <FormStack onSubmit={send} mutation={begin} submitLabel={t("security:secondFactor.continue")}>
      <PasswordInput
        label={t("password.current")}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        data-autofocus
      />
    </FormStack>
  );
}

function SecretStep({ secret, uri, confirm }: { secret: string; uri: string } & Pick<Mutations, "confirm">) {
  const { t } = useTranslation();
  const [code, setCode] = useState("");
  const send = () => code && confirm.mutate({ body: { code } });
  return (
    <FormStack onSubmit={send} mutation={confirm} submitLabel={t("security:secondFactor.turnOn")}>
      <Text size="sm">{t("security:secondFactor.scan")}</Text>
      <Stack align="center" gap="xs">
        <QrCode text={uri} label={t("security:secondFactor.qr")} />
        <Text size="sm" component="div">
          {t("security:secondFactor.secret")}: <Code style={{ overflowWrap: "anywhere" }}>{secret}</Code>
        </Text>
      </Stack>
      <TextInput
        ref={focusOnMount}
        label={t("security:secondFactor.code")}
        description={t("security:secondFactor.codeNote")}
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </FormStack>
  );
}

/** The codes, visible only once. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation();
  const finish = () => {
    notifyDone(t("security:secondFactor.enabled"));
    onDone();
  };
  return (
    <Stack gap="sm">
      <Text size="sm">{t("security:secondFactor.recoveryNote")}</Text>
      <SimpleGrid
        cols={{ base: 1, xs: 2 }}
        spacing="xs"
        role="group"
        aria-label={t("security:secondFactor.recoveryTitle")}
      >
        {codes.map((code) => (
          <Code key={code}>{code}</Code>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <CopyButton value={codes.join("\n")}>
          {({ copied, copy }) => (
            <Button ref={focusOnMount} variant="default" onClick={copy}>
              {t(copied ? "actions.copied" : "actions.copy")}
            </Button>
          )}
        </CopyButton>
        <Button onClick={finish}>{t("security:secondFactor.saved")}</Button>
      </Group>
    </Stack>
  );
}
