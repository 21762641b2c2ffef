import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { parseAddress } from "@model-gateway/domain/ip-address";
import { adminOperator, type Operator } from "@model-gateway/domain/operator";
import { hasProxyHeader } from "./is-from-this-machine.js";

/** The operator whose key a text is, or stands for in this request. */
export type FindOperator = (presented: string, request: IncomingMessage) => Operator | undefined;

interface OperatorSecrets {
  /** `OperatorKeys.find` (keys/operator-keys.ts). */
  readonly find: (presented: string) => Operator | undefined;
  /** The secret in the data folder's `run.json`. Absent: there is none. */
  readonly localSecret: string | undefined;
}

/**
 * Accepts the keys of operators from everywhere, and the secret of this run from programs on the same machine (decision 0082).
 * A proxy on this machine sends requests of others, and says so in a header.
 */
export function createOperatorLookup({ find, localSecret }: OperatorSecrets): FindOperator {
  if (localSecret === undefined) return find;
  const digest = hash("sha256", localSecret, "buffer");
  return (presented, request) => {
    const isLocal = timingSafeEqual(hash("sha256", presented, "buffer"), digest) && isFromOwnAddress(request);
    return isLocal ? adminOperator : find(presented);
  };
}

/** Wider than `isFromThisMachine`: a page in a browser cannot read the secret, so the `Host` proves nothing more. */
function isFromOwnAddress({ socket, headers }: IncomingMessage): boolean {
  if (hasProxyHeader(headers)) return false;
  const peer = parseAddress(socket.remoteAddress ?? "");
  if (peer === undefined) return false;
  // A gateway that listens on one address of the network is called from there by its own machine.
  return peer.range() === "loopback" || socket.remoteAddress === socket.localAddress;
}
