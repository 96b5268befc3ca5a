import { compact, days, startOfDay, text } from "@/lib/search-params";

/** Read the filters of the activity from the address. */
export function readActivityUrl(raw: Record<string, unknown>) {
  return compact({
    who: text(raw, "who"),
    what: text(raw, "what"),
    document: text(raw, "document"),
    ...days(raw),
  });
}

export type ActivityUrl = ReturnType<typeof readActivityUrl>;

/** Return the query of the API that lists or exports these events. */
export function toAuditQuery({ who, what, document, from, to }: ActivityUrl) {
  return compact({
    actor: who,
    action: what,
    target: document && `document:${document}`,
    since: from && startOfDay(from),
    until: to && startOfDay(to, 1),
  });
}
