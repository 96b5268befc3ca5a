import { Anchor, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormStack } from "@/shared/form-stack";
import { useCodeSignIn } from "./use-session";

interface CodeFormProps {
  /** Proves that the password was right. */
  challenge: string;
  onBack: () => void;
  onDone: (() => void) | undefined;
}

/** The second step of signing in: a code of the app or a recovery code. */
export function CodeForm({ challenge, onBack, onDone }: CodeFormProps) {
  const { t } = useTranslation();
  const signIn = useCodeSignIn();
  const [code, setCode] = useState("");
  const send = () =>
    signIn.mutate({ body: { challenge_token: challenge, code, use_cookies: true } }, { onSuccess: () => onDone?.() });
  return (
    <FormStack
      onSubmit={send}
      mutation={signIn}
      submitLabel={t("account.signIn")}
      footer={
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t("security:signIn.back")}
        </Anchor>
      }
    >
      <Text size="sm">{t("security:signIn.note")}</Text>
      <TextInput
        label={t("security:secondFactor.code")}
        autoComplete="one-time-code"
        spellCheck={false}
        required
        autoFocus
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </FormStack>
  );
}
