import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ShareForm } from "@/features/sharing/parts";
import { notifyDone } from "@/shared/notify";
import { type User, useUserMutations } from "./use-users";

/** Another account for the documents and tags of somebody who leaves. */
export function TransferForm({ user, onDone }: { user: User; onDone: () => void }) {
  const { t } = useTranslation();
  const { transfer } = useUserMutations();
  const send = (email: string) =>
    transfer.mutate(
      { params: { path: { user_id: user.id } }, body: { email } },
      {
        onSuccess: ({ documents, tags }) => {
          const given = {
            documents: t("tags.documents", { count: documents }),
            tags: t("users:tags", { count: tags }),
          };
          notifyDone(t("users:transferred", { email, ...given }));
          onDone();
        },
      },
    );
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t("users:transferNote")}
      </Text>
      <ShareForm mutation={transfer} onShare={send} submitLabel={t("users:transfer")} label={t("sharing:newOwner")} />
    </>
  );
}
