import type { Result } from "@model-gateway/client";
import type { Pause } from "../session/pause.js";
import type { Schemas } from "./schemas.js";
import { useOperation } from "./use-operation.js";

/** One request by its id, for an address that names one which the list does not show. */
export function useRetrieveRequest(id: string | undefined) {
  return useOperation(
    ["retrieveRequest", id],
    (client, signal) => client.retrieveRequest(id ?? "", { signal }),
    { isEnabled: id !== undefined },
  );
}

/** A request is recorded some time after its response. */
const costPausesMs = [2000, 3000, 8000];

interface CostLookup {
  /** Retrieves the record, by the operation that the session may use. */
  readonly retrieve: (options: {
    readonly signal: AbortSignal;
  }) => Promise<Result<Pick<Schemas["RequestRecord"], "cost_usd">>>;
  readonly signal: AbortSignal;
  readonly pause: Pause;
}

/** The recorded cost of a request that has just finished, in US dollars; `null` if it is not known. */
export async function retrieveCost({ retrieve, signal, pause }: CostLookup): Promise<number | null> {
  for (const ms of costPausesMs) {
    await pause(ms, signal);
    if (signal.aborted) return null;
    const result = await retrieve({ signal }).catch(() => undefined);
    if (result?.ok) return result.data.cost_usd;
  }
  return null;
}
