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

/** The time that requests took together, and at most that. */
export function elapsedMs(requests: readonly PastRequest[]): number {
  if (requests.length === 0) return 0;
  const inTurn = requests.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  // Lines of a batch run beside each other, and each waits for those that share its call.
  const begins = requests.map(({ created_at }) => created_at * 1000);
  const ends = requests.map(
    ({ created_at, duration_ms }) => created_at * 1000 + beginKnownToMs + duration_ms,
  );
  return Math.min(inTurn, Math.max(...ends) - Math.min(...begins));
}

/** `created_at` has whole seconds. */
const beginKnownToMs = 1000;

/** What is said of a request. The beginning is in Unix seconds. */
interface PastRequest {
  readonly created_at: number;
  readonly duration_ms: number;
}
