import { setTimeout } from "node:timers/promises";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Called, RemoteGateway } from "./remote-gateway.js";

/** Figures from the record of a request. The names are those of the API. */
export interface RequestFigures extends Pick<Schemas["RequestRecord"], "cost_usd" | "upstream" | "cache"> {
  readonly request_id: string | null;
}

/** A record appears half a second after its request. */
const pollMs = 200;
const pollsMax = 20;

/**
 * Finds the record of a request that has just succeeded. Without the admin key, or if it does not appear in time, only
 * the headers of the response count.
 */
export async function findRequest(
  gateway: RemoteGateway,
  { requestId, response }: Pick<Called<unknown>, "requestId" | "response">,
): Promise<RequestFigures> {
  const record = requestId === null || !gateway.hasAdminKey ? undefined : await poll(gateway, requestId);
  const named = response.headers.get("x-gateway-upstream");
  return {
    request_id: requestId,
    cost_usd: record?.cost_usd ?? null,
    upstream: record?.upstream ?? (named === null ? null : decodeURIComponent(named)),
    cache: record?.cache ?? null,
  };
}

async function poll(gateway: RemoteGateway, id: string): Promise<Schemas["RequestRecord"] | undefined> {
  for (let polls = 0; polls < pollsMax; polls += 1) {
    const found = await gateway
      .administer((client, options) => client.retrieveRequest(id, options))
      .catch(() => undefined);
    if (found !== undefined) return found;
    await setTimeout(pollMs);
  }
  return undefined;
}
