import { Modal, Text } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { SignInOptions } from "./sign-in-options";

/** Over everything else, where a session ended: what is on the page stays as it is, also an open dialog. */
export function SignInAgain({ email }: { email: string }) {
  const { t } = useTranslation();
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      title={t("account.signInTitle")}
      zIndex={1000}
      size="sm"
      // Escape would close the dialog below this one: Mantine lets a key alone whose target says so.
      closeOnEscape={false}
      onFocus={({ target }) => target.setAttribute("data-mantine-stop-propagation", "true")}
    >
      <Text size="sm" mb="md">
        {t("account.sessionEnded")}
      </Text>
      <SignInOptions email={email} />
    </Modal>
  );
}
