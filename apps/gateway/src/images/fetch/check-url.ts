/**
 * Guards the gateway against server-side request forgery: a URL that a caller or an upstream wrote must not reach the
 * gateway's own network. It is checked in two steps, again for each redirect, and both reject with `ImageFetchError`:
 *
 * 1. `readImageUrl` checks the text of the URL.
 * 2. `resolveHost` looks up the host and checks every address, by `addressScope`. The connection uses only these addresses.
 */
import { lookup as lookupBySystem } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

interface ImageUrlRules {
  /** Allows http and private addresses. */
  readonly allowPrivate: boolean;
  /** The URL that redirected here, and the base of a relative one. */
  readonly from?: URL;
}

/** Browsers and servers take no longer ones. A host of a megabyte took 80 ms to parse. */
const urlLengthMax = 16 * 1024;

/** Parses an untrusted URL, and refuses any that is not a plain web address. */
export function readImageUrl(text: string, rules: ImageUrlRules): URL {
  if (text.length > urlLengthMax) throw refused(`The URL is longer than ${urlLengthMax} characters.`);
  // URL parsers disagree on these characters: a check elsewhere may have seen another host.
  if (/[\p{Cc}\s\\]/u.test(text))
    throw refused("The URL contains spaces, control characters or backslashes.");
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
    throw refused("The URL contains a user name or a password.");
  if (url.port === "0") throw refused("The port of the URL is not valid.");
  if (!rules.allowPrivate && !isPublicHost(hostOf(url))) {
    throw refused("The host of the URL is neither a fully qualified domain name nor an IP address.");
  }
  return url;
}

/** The host as resolvers and sockets take it: an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** A name without a dot resolves in the gateway's own domain. A name with a dot at the end evades lists of names. */
function isPublicHost(host: string): boolean {
  return isIP(host) !== 0 || /[^.]\.[^.]+$/.test(host);
}

function refused(message: string): ImageFetchError {
  return new ImageFetchError("refused", message);
}

interface AddressRules {
  readonly lookup: Lookup;
  readonly addressScope: (address: string) => AddressScope;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
}

/** Looks up a host once, and refuses it if any of its addresses is not allowed: a connection may use each of them. */
export async function resolveHost(host: string, rules: AddressRules): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await lookUp(host, rules) : [host];
  const isAllowed = (address: string) => {
    const reach = rules.addressScope(address);
    // Clouds serve the credentials of a machine at a link-local address, so not even a trusted upstream may link there.
    return reach === "public" || (reach === "private" && rules.allowPrivate);
  };
  if (addresses.length === 0 || !addresses.every(isAllowed)) throw refusedHost();
  return addresses;
}

/** Returns every address of a name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export const systemLookup: Lookup = async (hostname) => {
  const found = await lookupBySystem(hostname, { all: true });
  return found.map(({ address }) => address);
};

function lookUp(host: string, { lookup, signal }: AddressRules): Promise<readonly string[]> {
  signal.throwIfAborted();
  // A lookup cannot be cancelled; after an abort its result is ignored.
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    lookup(host)
      .then(resolve, (cause: unknown) => reject(refusedHost(cause)))
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

/** One message for a private host and an unknown one: it must not reveal which names exist in the gateway's network. */
function refusedHost(cause?: unknown): ImageFetchError {
  return new ImageFetchError(
    "refused",
    "The host of the URL does not resolve to a permitted address.",
    cause === undefined ? {} : { cause },
  );
}

/** From where an address can be reached. An address that is not known to be public counts as private. */
export type AddressScope = "public" | "private" | "link-local";

/** Classifies an IP address by IANA's registries of special-purpose addresses. */
export function addressScope(address: string): AddressScope {
  if (isIP(address) === 0) return "private";
  const parsed = ipaddr.parse(address);
  const effective = parsed instanceof ipaddr.IPv6 ? (embeddedIPv4(parsed) ?? parsed) : parsed;
  const range = effective.range();
  if (range === "linkLocal") return "link-local";
  // ipaddr.js reports unassigned ranges as unicast, but IANA assigns global unicast from 2000::/3 alone.
  if (effective instanceof ipaddr.IPv6 && !effective.match(globalUnicast)) return "private";
  return range === "unicast" ? "public" : "private";
}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Prefixes of addresses that lead to the IPv4 address in their last 32 bits. 6to4 and Teredo are left out: they use the
 * relays of third parties, so they stay private.
 */
const embeddingPrefixes = [
  // https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2
  ipaddr.IPv6.parseCIDR("::ffff:0:0/96"),
  // NAT64, by which an IPv6-only network reaches IPv4: https://www.rfc-editor.org/rfc/rfc6052#section-2.1
  ipaddr.IPv6.parseCIDR("64:ff9b::/96"),
];

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (!embeddingPrefixes.some((prefix) => address.match(prefix))) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/**
 * Why an image could not be fetched:
 * - `refused`: the URL or an address of its host is not allowed, or the host does not exist;
 * - `unreachable`: no connection, no trusted certificate, or a truncated reply;
 * - `timed_out`: the time for the image and its redirects is over;
 * - `bad_reply`: a status other than 200, too many redirects, or a compressed body;
 * - `too_large`: more bytes than allowed.
 */
type ImageFetchReason = "refused" | "unreachable" | "timed_out" | "bad_reply" | "too_large";

/** An image could not be fetched. The message may be shown to any caller; network details are in `cause`. */
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
