import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createClientAddress } from "./client-address.js";

const clientAddress = createClientAddress(["10.0.0.0/8", "fd00::/8"]);
const from = (peer: string | undefined, forwarded?: string) =>
  clientAddress({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  } as unknown as IncomingMessage);

test.each([
  { name: "no header", peer: "192.0.2.1", address: "192.0.2.1" },
  { name: "a peer that is not trusted", peer: "192.0.2.1", forwarded: "198.51.100.9", address: "192.0.2.1" },
  { name: "a trusted peer", peer: "10.0.0.1", forwarded: "198.51.100.9", address: "198.51.100.9" },
  { name: "a trusted peer without a header", peer: "10.0.0.1", address: "10.0.0.1" },
  {
    name: "a header that the client began",
    peer: "10.0.0.1",
    forwarded: "203.0.113.7, 10.9.9.9, 198.51.100.9",
    address: "198.51.100.9",
  },
  {
    name: "several proxies",
    peer: "::ffff:10.0.0.1",
    forwarded: "203.0.113.7, 198.51.100.9 , 10.0.0.3,10.0.0.2",
    address: "198.51.100.9",
  },
  { name: "proxies alone", peer: "10.0.0.1", forwarded: "10.0.0.3, 10.0.0.2", address: "10.0.0.3" },
  { name: "IPv6", peer: "fd00::1", forwarded: "2001:DB8::1", address: "2001:db8::1" },
  { name: "a port", peer: "10.0.0.1", forwarded: "198.51.100.9:4711", address: "198.51.100.9" },
  { name: "IPv6 and a port", peer: "10.0.0.1", forwarded: "[2001:db8::1]:4711", address: "2001:db8::1" },
  {
    name: "a client that is hidden",
    peer: "10.0.0.1",
    forwarded: "198.51.100.9, unknown",
    address: "10.0.0.1",
  },
  { name: "a text that is not an address", peer: "10.0.0.1", forwarded: "' OR 1=1", address: "10.0.0.1" },
  { name: "an octal address", peer: "10.0.0.1", forwarded: "0300.0.2.1", address: "10.0.0.1" },
  { name: "nothing between commas", peer: "10.0.0.1", forwarded: "198.51.100.9,,", address: "10.0.0.1" },
])("the client of a request with $name", ({ peer, forwarded, address }) => {
  expect(from(peer, forwarded)).toBe(address);
});

test("a connection that is closed has no client", () => {
  expect(from(undefined, "198.51.100.9")).toBeUndefined();
});

test("a header of a thousand proxies is read from its end, and no further than needed", () => {
  const forwarded = Array.from({ length: 1000 }, (_, hop) => `10.0.${hop >> 8}.${hop & 255}`).join(",");

  expect(from("10.0.0.1", forwarded)).toBe("10.0.3.200");
});
