import type { AccessKey } from "../domain/access-key.js";
import { describeFailure, type RequestFailure } from "../domain/request-failure.js";
import type { GatewayError } from "../errors.js";
import { toGatewayError } from "../http/response/write-error.js";
import type { HideSecrets } from "../secrets/secret-filter.js";
import { gatherRows } from "../usage/ledger/ledger.js";
import { emptyRow } from "../usage/ledger/ledger-columns.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";
import type { Services } from "./services.js";

/** Completes a row and writes it. */
export type FinishRow = (outcome: Partial<LedgerRow>) => Promise<LedgerRow>;

/**
 * Begins the ledger rows of embeddings that the gateway creates for itself.
 *
 * @param key The gateway itself.
 */
export function createOwnRows(
  { ledger, requestIds, clock }: Pick<Services, "ledger" | "requestIds" | "clock">,
  key: Pick<AccessKey, "id" | "name">,
): (model: string) => FinishRow {
  const record = gatherRows(ledger);
  return (model) => {
    const begun = { id: requestIds.next(), at: Date.now(), keyId: key.id, keyName: key.name, model };
    const startedAt = clock.now();
    return async (outcome) => {
      const ms = Math.round((clock.now() - startedAt) * 10) / 10;
      const row = { ...emptyRow, ...succeeded, ...begun, ...outcome, ms };
      await record(row);
      return row;
    };
  };
}

const succeeded = { operation: "createEmbedding", status: 200 } as const;

/** The outcome of a call that has failed. */
export function failedOutcome(
  thrown: unknown,
  secrets: Pick<HideSecrets, "hide">,
): Pick<LedgerRow, "status" | "errorCode" | "failure"> {
  const error = toGatewayError(thrown);
  return { status: error.status, errorCode: error.code, failure: failureOf(error, secrets) };
}

/** Why a call of the gateway's own failed, for its row. */
export function failureOf(
  { operatorMessage: message, param, failedAttempts: attempts }: GatewayError,
  secrets: Pick<HideSecrets, "hide">,
): RequestFailure {
  return describeFailure({ message, param, attempts }, (text) => secrets.hide(text));
}
