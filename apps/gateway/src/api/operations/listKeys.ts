import type { Schemas } from "@model-gateway/domain/operations";
import type { Handler } from "../../execution/handler.js";
import type { KeySort } from "../../keys/key-store.js";
import { type Cell, writeCsv } from "../csv.js";
import { describeKeys, type KeyHandlerServices, monthStart } from "../documents/AccessKey.js";

const sorts = {
  created_at: "createdAt",
  name: "name",
  last_used_at: "lastUsedAt",
  spent_usd: "spent",
} as const satisfies Record<string, KeySort>;

export function listKeys(services: KeyHandlerServices): Handler<"listKeys"> {
  const { keys, fileKeys, now } = services;
  return async ({ query, accepts }) => {
    const { limit = 100, cursor, search, status, sort = "created_at", order = "desc" } = query;
    const { items, total, nextCursor } = await keys.list({
      limit,
      sort: sorts[sort],
      order,
      fileKeys,
      spentSince: monthStart(now()),
      ...(cursor === undefined ? {} : { cursor }),
      ...(search === undefined ? {} : { search }),
      ...(status === undefined ? {} : { status }),
    });
    const data = await describeKeys(items, services);
    const headers: Record<string, string> = nextCursor === undefined ? {} : { "x-next-cursor": nextCursor };
    if (accepts("application/json", "text/csv") === "text/csv")
      return { headers, contentType: "text/csv; charset=utf-8", text: writeCsv(columns, data) };
    return { headers, body: { object: "list", data, total, next_cursor: nextCursor ?? null } };
  };
}

/** Columns of the text format. Rate limits are only in the JSON. */
const columns: Readonly<Record<string, (key: Schemas["AccessKey"]) => Cell>> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  owner: ({ owner }) => owner,
  redacted_value: ({ redacted_value }) => redacted_value,
  source: ({ source }) => source,
  status: ({ status }) => status,
  models: ({ models }) => models?.join(" "),
  priority: ({ priority }) => priority,
  budget_usd: ({ budget }) => budget?.usd,
  budget_per: ({ budget }) => budget?.per,
  budget_spent_usd: ({ budget_usage }) => budget_usage?.spent_usd,
  budget_remaining_usd: ({ budget_usage }) => budget_usage?.remaining_usd,
  spent_usd: ({ spent_usd }) => spent_usd,
  expires_at: ({ expires_at }) => expires_at,
  created_at: ({ created_at }) => created_at,
  last_used_at: ({ last_used_at }) => last_used_at,
  revoked_at: ({ revoked_at }) => revoked_at,
  // Last, because programs that read the table may count its columns.
  unpriced_requests: ({ unpriced_requests }) => unpriced_requests,
};
