import { lookup as lookupBySystem } from "node:dns/promises";
import { isIP } from "node:net";
import { PictureFetchError } from "./fetch-picture-error.js";
import type { Reach } from "./public-address.js";

/** Every address of a name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface AddressRules {
  readonly lookup: Lookup;
  readonly reachOf: (address: string) => Reach;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
}

/** Looks a host up, once, and refuses it if any of its addresses is out of bounds: a connection may end at each of them. */
export async function checkedAddresses(host: string, rules: AddressRules): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await lookUp(host, rules) : [host];
  const isAllowed = (address: string) => {
    const reach = rules.reachOf(address);
    // Clouds keep the credentials of a machine at a link-local address; no picture is there, whoever is trusted.
    return reach === "public" || (reach === "private" && rules.allowPrivate);
  };
  if (addresses.length === 0 || !addresses.every(isAllowed)) throw noAddress();
  return addresses;
}

export const systemLookup: Lookup = async (hostname) => {
  const found = await lookupBySystem(hostname, { all: true });
  return found.map(({ address }) => address);
};

function lookUp(host: string, { lookup, signal }: AddressRules): Promise<readonly string[]> {
  signal.throwIfAborted();
  // A lookup can not be stopped, only be waited for no longer.
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    lookup(host)
      .then(resolve, (cause: unknown) => reject(noAddress(cause)))
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

/** One message for all: it must not tell which names exist in the gateway's network. */
function noAddress(cause?: unknown): PictureFetchError {
  return new PictureFetchError(
    "refused",
    "The host of the URL has no address that pictures may be fetched from.",
    cause === undefined ? {} : { cause },
  );
}
