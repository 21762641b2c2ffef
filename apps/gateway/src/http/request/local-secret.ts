import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { parseAddress } from "@model-gateway/domain/ip-address";
import { hasProxyHeader } from "./is-from-this-machine.js";

/** Whether a text is the admin key, or stands for it in this request. */
export type IsAdminKey = (presented: string, request: IncomingMessage) => boolean;

interface AdminSecrets {
  /** `AdminKey.matches` (keys/key-secrets.ts). */
  readonly matches: (presented: string) => boolean;
  /** The secret in the data folder's `run.json`. Absent: there is none. */
  readonly localSecret: string | undefined;
}

/**
 * Accepts the admin key from everywhere, and the secret of this run from programs on the same machine (decision 0082).
 * A proxy on this machine sends requests of others, and says so in a header.
 */
export function createAdminCheck({ matches, localSecret }: AdminSecrets): IsAdminKey {
  if (localSecret === undefined) return matches;
  const digest = hash("sha256", localSecret, "buffer");
  return (presented, request) =>
    (timingSafeEqual(hash("sha256", presented, "buffer"), digest) && isFromOwnAddress(request)) ||
    matches(presented);
}

/** Wider than `isFromThisMachine`: a page in a browser cannot read the secret, so the `Host` proves nothing more. */
function isFromOwnAddress({ socket, headers }: IncomingMessage): boolean {
  if (hasProxyHeader(headers)) return false;
  const peer = parseAddress(socket.remoteAddress ?? "");
  if (peer === undefined) return false;
  // A gateway that listens on one address of the network is called from there by its own machine.
  return peer.range() === "loopback" || socket.remoteAddress === socket.localAddress;
}
