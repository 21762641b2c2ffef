import type { IncomingMessage } from "node:http";
import { type IpAddress, isInRange, parseAddress, parseRange } from "@model-gateway/domain/ip-address";
import { headerOf } from "../../execution/request-context.js";

/** The address of the client that sent a request. Undefined where the connection is closed already. */
export type ClientAddress = (request: IncomingMessage) => string | undefined;

/** More proxies in a row mean a forged header. */
const hopsMax = 32;

/**
 * The peer of the connection, or the address that trusted proxies have forwarded: each appends the peer that it has
 * seen to `X-Forwarded-For`, so the rightmost one that is not trusted is the client. Anything before it was written by
 * the client (decision 0051).
 *
 * @param trustedProxies Addresses and ranges, as the configuration has checked them.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const ranges = trustedProxies.flatMap((text) => {
    const range = parseRange(text);
    return range === undefined ? [] : [range];
  });
  const isTrusted = (address: IpAddress) => ranges.some((range) => isInRange(address, range));
  return (request) => {
    const peer = parseAddress(request.socket.remoteAddress ?? "");
    if (peer === undefined) return undefined;
    let client = peer;
    let rest = headerOf(request, "x-forwarded-for") ?? "";
    for (let hops = 0; hops < hopsMax && rest !== "" && isTrusted(client); hops += 1) {
      const comma = rest.lastIndexOf(",");
      const hop = parseAddress(withoutPort(rest.slice(comma + 1).trim()));
      // The proxy hides its client, or the text is not an address: the last proxy that is known counts.
      if (hop === undefined) break;
      client = hop;
      rest = comma === -1 ? "" : rest.slice(0, comma);
    }
    return client.toString();
  };
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}
