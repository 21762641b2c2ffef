import { lookup as lookupBySystem } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export interface ImageUrlRules {
  readonly allowPrivate: boolean;
  /** The URL that redirected here, which a relative one is relative to. */
  readonly from?: URL;
}

/** Reads a URL that a stranger wrote, and refuses what is no plain web address. Where its host leads is checked apart. */
export function readImageUrl(text: string, rules: ImageUrlRules): URL {
  // Parsers disagree on these, and whoever checked the URL before us may have read another host in it.
  if (/[\p{Cc}\s\\]/u.test(text))
    throw refused("The URL has spaces, control characters or backslashes in it.");
  if (rules.from === undefined && !/^[a-z]+:\/\/[^/]/i.test(text)) throw refused("The URL is not absolute.");
  if (!URL.canParse(text, rules.from?.href)) throw refused("The URL is not valid.");
  const url = new URL(text, rules.from?.href);

  if (url.protocol !== "https:" && !(rules.allowPrivate && url.protocol === "http:")) {
    throw refused(`Only ${rules.allowPrivate ? "http and https" : "https"} URLs can be fetched.`);
  }
  if (rules.from?.protocol === "https:" && url.protocol !== "https:") {
    throw refused("The URL redirects from https to http.");
  }
  if (url.username !== "" || url.password !== "")
    throw refused("The URL has a user name or a password in it.");
  if (url.port === "0") throw refused("The URL has a port that does not exist.");
  if (!rules.allowPrivate && !isPublicHost(hostOf(url))) {
    throw refused("The host of the URL is neither a full domain name nor an address.");
  }
  return url;
}

/** The host as resolvers and sockets take it: an IPv6 address has no brackets there. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** A name without a dot is looked up in the gateway's own domain, and one that ends in a dot passes by lists of names. */
function isPublicHost(host: string): boolean {
  return isIP(host) !== 0 || /[^.]\.[^.]+$/.test(host);
}

function refused(message: string): ImageFetchError {
  return new ImageFetchError("refused", message);
}

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
    // Clouds keep the credentials of a machine at a link-local address; no image is there, whoever is trusted.
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
  // A lookup cannot be stopped, only be waited for no longer.
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    lookup(host)
      .then(resolve, (cause: unknown) => reject(noAddress(cause)))
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

/** One message for all: it must not tell which names exist in the gateway's network. */
function noAddress(cause?: unknown): ImageFetchError {
  return new ImageFetchError(
    "refused",
    "The host of the URL has no address that images may be fetched from.",
    cause === undefined ? {} : { cause },
  );
}

/** From where an address can be reached. What is not known to be public counts as private. */
export type Reach = "public" | "private" | "link-local";

/** Tells where an IP address leads, by IANA's registries of special-purpose addresses. */
export function reachOf(address: string): Reach {
  if (isIP(address) === 0) return "private";
  const parsed = ipaddr.parse(address);
  const meant = parsed instanceof ipaddr.IPv6 ? (embeddedIPv4(parsed) ?? parsed) : parsed;
  const range = meant.range();
  if (range === "linkLocal") return "link-local";
  // What is not assigned yet counts as unicast there, but only 2000::/3 is given out.
  if (meant instanceof ipaddr.IPv6 && !meant.match(globalUnicast)) return "private";
  return range === "unicast" ? "public" : "private";
}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** Addresses that end at the IPv4 address in their last 32 bits. 6to4 and Teredo go by way of strangers and stay private. */
const wrappings = [
  // https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2
  ipaddr.IPv6.parseCIDR("::ffff:0:0/96"),
  // A network that has IPv6 alone reaches IPv4 by these: https://www.rfc-editor.org/rfc/rfc6052#section-2.1
  ipaddr.IPv6.parseCIDR("64:ff9b::/96"),
];

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (!wrappings.some((wrapping) => address.match(wrapping))) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/**
 * Why an image cannot be had:
 * - `refused`: the guard does not let anyone go there, or the name leads nowhere;
 * - `unreachable`: no connection, no trusted certificate, or the answer was cut;
 * - `bad_answer`: a status other than 200, too many redirects, or a compressed body.
 */
export type ImageFetchReason = "refused" | "unreachable" | "timed_out" | "bad_answer" | "too_large";

/** An image that could not be fetched. The message may be shown to anyone; what the network said is in `cause`. */
export class ImageFetchError extends Error {
  constructor(
    readonly reason: ImageFetchReason,
    message: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = "ImageFetchError";
  }
}
