import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** An address of a client or a proxy. An IPv4 address that was written as an IPv6 one is an IPv4 address. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** Undefined for a text that is not an IP address, such as `unknown` or a host name. */
export function parseAddress(text: string): IpAddress | undefined {
  // ipaddr.js also reads short and octal forms, which proxies do not write and readers take for other addresses.
  return isIP(text) === 0 ? undefined : ipaddr.process(text);
}

/** Whether a host is this machine itself: a loopback address, or `localhost`. */
export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === "localhost" || parseAddress(host)?.range() === "loopback";
}

/** All addresses that begin with the same bits. */
type AddressRange = readonly [IpAddress, number];

/** An address, or a range in CIDR notation. Undefined for anything else. */
export function parseRange(text: string): AddressRange | undefined {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (isIP(address) === 0) return undefined;
  const parsed = ipaddr.parse(address);
  const length = parsed.toByteArray().length * 8;
  const prefix = bits === undefined ? length : Number(bits);
  if (prefix > length) return undefined;
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && prefix >= 96)
    return [parsed.toIPv4Address(), prefix - 96];
  return [parsed, prefix];
}

export function isInRange(address: IpAddress, [start, prefix]: AddressRange): boolean {
  if (address instanceof ipaddr.IPv4) return start instanceof ipaddr.IPv4 && address.match(start, prefix);
  return start instanceof ipaddr.IPv6 && address.match(start, prefix);
}

/** The bits of an IPv6 address that a provider gives to one customer, who chooses the rest freely. */
const customerBits = 64;

/** The network of one client: an IPv4 address, or the first 64 bits of an IPv6 one. */
export function clientNetwork(text: string): string {
  const address = parseAddress(text);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? text;
  const start = new ipaddr.IPv6([
    ...address.toByteArray().slice(0, customerBits / 8),
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  return `${start.toString()}/${customerBits}`;
}
