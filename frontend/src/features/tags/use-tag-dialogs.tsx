import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { lazyCode } from "@/lib/load-code";
import { askBefore, openDialog } from "@/shared/dialog";
import { notifyDone, notifyError } from "@/shared/notify";
import { LoadingState } from "@/shared/states";
import { MergeForm } from "./merge-form";
import { TagForm } from "./tag-form";
import { type Tag, useTagMutations } from "./use-tags";

const SharePanel = lazyCode(async () => ({
  default: (await import("@/features/sharing/tag-share-panel")).TagSharePanel,
}));

/** The dialogs of the tags page. */
export function useTagDialogs() {
  const { t } = useTranslation();
  const { remove } = useTagMutations();

  const edit = (tag?: Tag) =>
    openDialog(tag ? t("tags.editOne", { name: tag.name }) : t("tags.new"), (close) => (
      <TagForm {...(tag ? { tag } : {})} onDone={close} />
    ));

  const share = (tag: Tag) =>
    openDialog(t("tags.share", { name: tag.name }), () => (
      <Suspense fallback={<LoadingState rows={3} />}>
        <SharePanel tag={tag} />
      </Suspense>
    ));

  const merge = (tags: Tag[], onDone?: () => void) =>
    openDialog(t("tags.merge.heading"), (close) => (
      <MergeForm
        tags={tags}
        onDone={() => {
          close();
          onDone?.();
        }}
      />
    ));

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

  return { edit, share, merge, askToRemove };
}
