import { createClient, type GatewayClient } from "@model-gateway/client";

/** The root of the gateway, relative to this page: this works behind any path prefix of a proxy. */
export const gatewayRoot = new URL("../", location.href).href.replace(/[?#].*$/s, "").replace(/\/+$/, "");

/** The console shows a failure at once, and offers to try again. */
export const retry = { max: 0 };

interface ClientEvents {
  /** The gateway no longer accepts the session. */
  readonly onExpired: () => void;
  /** The gateway could not be reached. */
  readonly onUnreachable: () => void;
}

/** A client that sends the session's secret with every request, and reports the end of the session. */
export function createSessionClient(
  value: string,
  { onExpired, onUnreachable }: ClientEvents,
): GatewayClient {
  return createClient({
    baseUrl: gatewayRoot,
    apiKey: value,
    adminKey: value,
    retry,
    fetch: async (request) => {
      const response = await fetch(request).catch((error: unknown) => {
        if (!request.signal.aborted) onUnreachable();
        throw error;
      });
      if (response.status === 401) onExpired();
      return response;
    },
  });
}

/** A client for the sign-in: the key is used for one request and then forgotten. */
export function createKeyClient(key: string): GatewayClient {
  return createClient({ baseUrl: gatewayRoot, apiKey: key, adminKey: key, retry });
}
