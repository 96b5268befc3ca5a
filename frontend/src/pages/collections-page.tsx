import { Button, SimpleGrid } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { CollectionCard } from "@/features/collections/collection-card";
import { CollectionForm } from "@/features/collections/collection-form";
import { useCollections } from "@/features/collections/use-collections";
import { useMe } from "@/features/session/use-session";
import { openDialog } from "@/shared/dialog";
import { PageHead } from "@/shared/page-head";
import { EmptyState, ErrorState, LoadingState } from "@/shared/states";

export function CollectionsPage() {
  const { t } = useTranslation();
  const isAdmin = useMe().me?.role === "admin";
  const { data, error, refetch } = useCollections();
  return (
    <>
      <PageHead title={t("nav.collections")} about={t("collections:about")}>
        {isAdmin ? (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => openDialog(t("collections:new"), (close) => <CollectionForm onDone={close} />)}
          >
            {t("collections:new")}
          </Button>
        ) : null}
      </PageHead>
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <LoadingState rows={4} /> : null}
      {data?.length === 0 ? <EmptyState title={t("collections:none")}>{t("collections:noneText")}</EmptyState> : null}
      {data && data.length > 0 ? (
        <SimpleGrid
          component="ul"
          cols={{ base: 1, sm: 2, xl: 3 }}
          spacing="sm"
          p={0}
          m={0}
          style={{ listStyle: "none" }}
        >
          {data.map((collection) => (
            <CollectionCard key={collection.id} collection={collection} isAdmin={isAdmin} />
          ))}
        </SimpleGrid>
      ) : null}
    </>
  );
}
