import type { AccessKey } from "../domain/access-key.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";

export interface OwnRow {
  /** A request id. */
  readonly id: string;
  /** The gateway itself. */
  readonly key: Pick<AccessKey, "id" | "name">;
  readonly model: string;
  readonly operation: LedgerRow["operation"];
}

/** The ledger row of the gateway's own call, before its outcome is known. */
export function beginOwnRow({ id, key, model, operation }: OwnRow): LedgerRow {
  return {
    id,
    at: Date.now(),
    keyId: key.id,
    keyName: key.name,
    operation,
    model,
    upstream: null,
    attempts: 0,
    status: 200,
    inputTokens: 0,
    outputTokens: 0,
    images: 0,
    costNanos: 0,
    ms: 0,
    requestBytes: 0,
    responseBytes: 0,
    cache: null,
    cachedInputs: 0,
    savedNanos: 0,
    errorCode: null,
    tokensEstimated: false,
  };
}
