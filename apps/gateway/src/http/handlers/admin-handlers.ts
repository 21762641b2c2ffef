import type { LedgerStore } from "../../usage/ledger-store.js";
import { changeKey } from "./changeKey.js";
import { createKey } from "./createKey.js";
import type { Handlers } from "./handler.js";
import type { KeyHandlerNeeds } from "./key-handler-needs.js";
import { type AdminModelNeeds, listAdminModels } from "./listAdminModels.js";
import { listKeys } from "./listKeys.js";
import { listRequests } from "./listRequests.js";
import { listUpstreams, type UpstreamNeeds } from "./listUpstreams.js";
import { type Metrics, readMetrics } from "./readMetrics.js";
import { retrieveKey } from "./retrieveKey.js";
import { retrieveUsage } from "./retrieveUsage.js";
import { revokeKey } from "./revokeKey.js";

export interface AdminHandlerNeeds extends KeyHandlerNeeds, AdminModelNeeds, UpstreamNeeds {
  readonly ledger: LedgerStore;
  readonly metrics: Metrics;
}

/** The operations that only the operator may use. */
export function createAdminHandlers(needs: AdminHandlerNeeds) {
  return {
    listKeys: listKeys(needs),
    createKey: createKey(needs),
    retrieveKey: retrieveKey(needs),
    changeKey: changeKey(needs),
    revokeKey: revokeKey(needs),
    retrieveUsage: retrieveUsage(needs.ledger),
    listRequests: listRequests(needs.ledger),
    listAdminModels: listAdminModels(needs),
    listUpstreams: listUpstreams(needs),
    readMetrics: readMetrics(needs.metrics),
  } satisfies Partial<Handlers>;
}
