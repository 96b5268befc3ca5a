import { useTranslation } from "react-i18next";
import { notifyError } from "@/shared/notify";
import { KeyForm } from "./key-form";
import { type CreatedKey, useKeyMutations } from "./use-keys";

/** Create a key with a limited scope. */
export function CreateKeyForm({ onCreated }: { onCreated: (created: CreatedKey) => void }) {
  const { t } = useTranslation();
  const { create } = useKeyMutations();
  return (
    <KeyForm
      submitLabel={t("keys:create")}
      isPending={create.isPending}
      onSubmit={(key, reset) =>
        create.mutate(
          { body: key },
          {
            onSuccess: (created) => {
              reset();
              onCreated(created);
            },
            onError: notifyError,
          },
        )
      }
    />
  );
}
