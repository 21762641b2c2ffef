import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

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
