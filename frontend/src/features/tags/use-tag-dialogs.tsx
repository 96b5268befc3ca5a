import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import { askBefore } from "@/shared/confirm";
import { notifyDone, notifyError } from "@/shared/notify";
import { MergeForm } from "./merge-form";
import { TagForm } from "./tag-form";
import { type Tag, useTagMutations } from "./use-tags";

const MODAL = "tag-dialog";

/** The dialogs of the tags page. */
export function useTagDialogs() {
  const { t } = useTranslation();
  const { remove } = useTagMutations();
  const close = () => modals.close(MODAL);
  const closeButtonProps = { "aria-label": t("actions.close") };

  function edit(tag?: Tag) {
    modals.open({
      modalId: MODAL,
      title: tag ? t("tags.editOne", { name: tag.name }) : t("tags.new"),
      closeButtonProps,
      children: <TagForm {...(tag ? { tag } : {})} onDone={close} />,
    });
  }

  function merge(tags: Tag[], onDone?: () => void) {
    const finish = () => {
      close();
      onDone?.();
    };
    modals.open({
      modalId: MODAL,
      title: t("tags.merge.heading"),
      closeButtonProps,
      children: <MergeForm tags={tags} onDone={finish} />,
    });
  }

  async function removeAll(tags: Tag[], onDone?: () => void) {
    try {
      for (const tag of tags) await remove.mutateAsync({ params: { path: { tag_id: tag.id } } });
      notifyDone(t("tags.deleted", { count: tags.length }));
      onDone?.();
    } catch (error) {
      notifyError(error);
    }
  }

  function askToRemove(tags: Tag[], onDone?: () => void) {
    const [first] = tags;
    const isOne = tags.length === 1 && first !== undefined;
    askBefore({
      title: isOne ? t("tags.deleteOne", { name: first.name }) : t("tags.deleteMany", { count: tags.length }),
      text: isOne ? t("tags.deleteText", { count: first.document_count }) : t("tags.deleteManyText"),
      action: t("actions.delete"),
      onConfirm: () => void removeAll(tags, onDone),
    });
  }

  return { edit, merge, askToRemove };
}
