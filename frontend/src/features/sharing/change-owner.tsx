import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { useMe } from "@/features/session/use-session";
import { notifyDone } from "@/shared/notify";
import { ShareForm, type ShareFormProps } from "./parts";

interface ChangeOwnerProps extends Pick<ShareFormProps, "mutation"> {
  /** Send the address, and call `onDone` once it is accepted. */
  onChange: ShareFormProps["onShare"];
}

/** A form for administrators that makes another account the owner. */
export function ChangeOwner({ mutation, onChange }: ChangeOwnerProps) {
  const { t } = useTranslation();
  const { me } = useMe();
  const [isOpen, { open, close }] = useDisclosure();
  if (me?.role !== "admin") return null;
  if (!isOpen)
    return (
      <Button variant="default" style={{ alignSelf: "start" }} onClick={open}>
        {t("sharing:changeOwner")}
      </Button>
    );
  const send = (email: string) =>
    onChange(email, () => {
      notifyDone(t("sharing:ownerChanged", { email }));
      close();
    });
  return (
    <ShareForm
      mutation={mutation}
      onShare={send}
      submitLabel={t("sharing:changeOwner")}
      label={t("sharing:newOwner")}
    />
  );
}
