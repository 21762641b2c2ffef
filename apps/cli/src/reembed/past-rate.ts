import type { RemoteGateway } from "../remote/remote-gateway.js";

const requestsRead = 100;

/** The speed of the last requests of a model. `null` without one that called an upstream. */
export async function pastRate(
  gateway: RemoteGateway,
  model: string,
): Promise<{ readonly tokensPerMs: number; readonly requests: number } | null> {
  const limit = requestsRead;
  const { data } = gateway.hasAdminKey
    ? await gateway.administer((client, options) => client.listRequests({ model, limit }, options))
    : await gateway.asCaller(async (caller) => {
        const { data } = await caller.call((client, options) => client.listOwnRequests({ limit }, options));
        return data;
      });
  // A vector from the cache says nothing about the upstream.
  const served = data.filter(
    (request) => request.model === model && request.status === 200 && request.cached_inputs === 0,
  );
  const tokens = served.reduce((sum, { input_tokens }) => sum + input_tokens, 0);
  const ms = elapsedMs(served);
  return tokens === 0 || ms === 0 ? null : { tokensPerMs: tokens / ms, requests: served.length };
}

/** The time in which at least one of the requests ran, and at most their sum. */
export function elapsedMs(requests: readonly PastRequest[]): number {
  const inTurn = requests.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  // Lines of a batch run beside each other, and each waits for those that share its call.
  let beside = 0;
  let end = 0;
  for (const { created_at, duration_ms } of requests.toSorted(
    (one, other) => one.created_at - other.created_at,
  )) {
    const begin = Math.max(end, created_at * 1000);
    end = Math.max(end, created_at * 1000 + beginKnownToMs + duration_ms);
    beside += end - begin;
  }
  return Math.min(inTurn, beside);
}

/** `created_at` has whole seconds. */
const beginKnownToMs = 1000;

/** The time of a request. The beginning is in Unix seconds. */
interface PastRequest {
  readonly created_at: number;
  readonly duration_ms: number;
}
