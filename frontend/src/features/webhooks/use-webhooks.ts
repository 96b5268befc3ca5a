import { $api } from "@/lib/api/client";
import { CURSOR_LIST, useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type Webhook = components["schemas"]["WebhookResponse"];
export type CreatedWebhook = components["schemas"]["WebhookCreated"];
export type EventType = NonNullable<Webhook["event_types"]>[number];

const REFRESH_MS = 5_000;

export const EVENT_TYPES: EventType[] = [
  "document.created",
  "document.ready",
  "document.failed",
  "document.updated",
  "document.trashed",
  "document.restored",
  "document.purged",
  "job.failed",
  "collection.created",
  "collection.updated",
  "collection.deleted",
  "system.alert",
];

/** The webhooks; looked at again while the page is open, because deliveries change their state. */
export function useWebhooks() {
  return $api.useQuery("get", "/api/v1/webhooks", {}, { refetchInterval: REFRESH_MS });
}

export function useWebhookMutations() {
  const onSuccess = useInvalidate("webhooks");
  return {
    create: $api.useMutation("post", "/api/v1/webhooks", { onSuccess }),
    update: $api.useMutation("patch", "/api/v1/webhooks/{webhook_id}", { onSuccess }),
    remove: $api.useMutation("delete", "/api/v1/webhooks/{webhook_id}", { onSuccess }),
    rotate: $api.useMutation("post", "/api/v1/webhooks/{webhook_id}/rotate", { onSuccess }),
    replay: $api.useMutation("post", "/api/v1/webhooks/{webhook_id}/replay", { onSuccess }),
    test: $api.useMutation("post", "/api/v1/webhooks/{webhook_id}/test", { onSuccess }),
  };
}

/** The attempts of a webhook, the newest first. */
export function useDeliveries(webhookId: string) {
  return $api.useInfiniteQuery(
    "get",
    "/api/v1/webhooks/{webhook_id}/deliveries",
    { params: { path: { webhook_id: webhookId }, query: { limit: 20 } } },
    CURSOR_LIST,
  );
}
